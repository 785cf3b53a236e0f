#compdef countersign
_countersign() {
  local place='' word value=''
  local -a options
  for word in "${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$value" ]]; then value=''; continue; fi
    case "$word" in
      --wait) value=yes; continue ;;
      -*) continue ;;
    esac
    place="${place:+$place }$word"
  done
  while true; do
    case "$place" in
      '') options=('status:do status' 'cost:cost commands' 'doctor:do doctor' '--json:the operator'\''s JSON' '--wait:how long' '--help:show help' '--version:print the version') ;;
      'status') options=('--json:the operator'\''s JSON' '--wait:how long' '--help:show help') ;;
      'cost budget') options=('list:list' 'set:set' '--json:the operator'\''s JSON' '--wait:how long' '--help:show help') ;;
      'doctor') options=('-f:correct: it' '--fix:correct: it' '--json:the operator'\''s JSON' '--wait:how long' '--help:show help') ;;
      'cost') options=('budget:do cost budget' '--json:the operator'\''s JSON' '--wait:how long' '--help:show help') ;;
    esac
    if (( ${#options} )) || [[ -z "$place" ]]; then break; fi
    if [[ "$place" == *' '* ]]; then place="${place% *}"; else place=''; fi
  done
  _describe 'countersign' options
}
if [ "$funcstack[1]" = '_countersign' ]; then _countersign; else compdef _countersign countersign; fi
