# bash completion for countersign
_countersign() {
  local current="${COMP_WORDS[COMP_CWORD]}" path='' words='' word value=''
  local -a before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
  for word in "${before[@]}"; do
    if [ -n "$value" ]; then value=''; continue; fi
    case "$word" in
      --wait) value=yes; continue ;;
      -*) continue ;;
    esac
    path="${path:+$path }$word"
  done
  while :; do
    case "$path" in
      '') words='status cost doctor --json --wait --help --version' ;;
      'status') words='--json --wait --help' ;;
      'cost budget') words='list set --json --wait --help' ;;
      'doctor') words='-f --fix --json --wait --help' ;;
      'cost') words='budget --json --wait --help' ;;
    esac
    if [ -n "$words" ] || [ -z "$path" ]; then break; fi
    case "$path" in *' '*) path="${path% *}" ;; *) path='' ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _countersign countersign
