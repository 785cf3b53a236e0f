# fish completion for countersign
function __countersign_at
    set -l place
    set -l value
    for word in (commandline -opc)[2..-1]
        if test -n "$value"
            set value
            continue
        end
        contains -- $word --wait; and set value yes; and continue
        string match -q -- '-*' $word; and continue
        set -a place $word
    end
    set -l path (string join ' ' $place)
    while not contains -- "$path" '' 'status' 'cost budget' 'doctor' 'cost'
        set -e place[-1]
        set path (string join ' ' $place)
    end
    test "$path" = "$argv[1]"
end
complete -c countersign -f -n '__countersign_at \'\'' -a status -d 'do status'
complete -c countersign -f -n '__countersign_at \'\'' -a cost -d 'cost commands'
complete -c countersign -f -n '__countersign_at \'\'' -a doctor -d 'do doctor'
complete -c countersign -f -n '__countersign_at \'\'' -l json -d 'the operator\'s JSON'
complete -c countersign -f -n '__countersign_at \'\'' -l wait -d 'how long'
complete -c countersign -f -n '__countersign_at \'\'' -l help -d 'show help'
complete -c countersign -f -n '__countersign_at \'\'' -l version -d 'print the version'
complete -c countersign -f -n '__countersign_at \'status\'' -l json -d 'the operator\'s JSON'
complete -c countersign -f -n '__countersign_at \'status\'' -l wait -d 'how long'
complete -c countersign -f -n '__countersign_at \'status\'' -l help -d 'show help'
complete -c countersign -f -n '__countersign_at \'cost budget\'' -a list -d 'list'
complete -c countersign -f -n '__countersign_at \'cost budget\'' -a set -d 'set'
complete -c countersign -f -n '__countersign_at \'cost budget\'' -l json -d 'the operator\'s JSON'
complete -c countersign -f -n '__countersign_at \'cost budget\'' -l wait -d 'how long'
complete -c countersign -f -n '__countersign_at \'cost budget\'' -l help -d 'show help'
complete -c countersign -f -n '__countersign_at \'doctor\'' -s f -d 'correct: it'
complete -c countersign -f -n '__countersign_at \'doctor\'' -l fix -d 'correct: it'
complete -c countersign -f -n '__countersign_at \'doctor\'' -l json -d 'the operator\'s JSON'
complete -c countersign -f -n '__countersign_at \'doctor\'' -l wait -d 'how long'
complete -c countersign -f -n '__countersign_at \'doctor\'' -l help -d 'show help'
complete -c countersign -f -n '__countersign_at \'cost\'' -a budget -d 'do cost budget'
complete -c countersign -f -n '__countersign_at \'cost\'' -l json -d 'the operator\'s JSON'
complete -c countersign -f -n '__countersign_at \'cost\'' -l wait -d 'how long'
complete -c countersign -f -n '__countersign_at \'cost\'' -l help -d 'show help'
