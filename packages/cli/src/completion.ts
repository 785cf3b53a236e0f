/** Writes completion scripts: static text, so that pressing Tab never starts anything. */
import type { CommandRow, OptionRow } from './command-row.ts'

export const shells = ['bash', 'zsh', 'fish', 'pwsh'] as const
export type Shell = (typeof shells)[number]

export const isShell = (name: string): name is Shell => shells.some((shell) => shell === name)

export function completionScript(
  shell: Shell,
  table: readonly CommandRow[],
  globals: readonly OptionRow[],
): string {
  const contexts = completionContexts(table, globals)
  const valued = valueFlags(globals)
  switch (shell) {
    case 'bash':
      return bash(contexts, valued)
    case 'zsh':
      return zsh(contexts, valued)
    case 'fish':
      return fish(contexts, valued)
    case 'pwsh':
      return pwsh(contexts, valued)
  }
}

interface CompletionWord {
  readonly word: string
  readonly summary: string
}

/** After these words, these may follow. */
interface CompletionContext {
  readonly after: string
  readonly words: readonly CompletionWord[]
}

function completionContexts(
  table: readonly CommandRow[],
  globals: readonly OptionRow[],
): CompletionContext[] {
  const shared = [...globals, { flags: '--help', summary: 'show help' }].flatMap(flagWords)
  const nouns = new Map<string, CompletionWord[]>()
  const top: CompletionWord[] = []
  const contexts: CompletionContext[] = []
  for (const row of table) {
    const [first = '', verb] = row.name.split(' ')
    if (verb === undefined) top.push({ word: first, summary: row.summary })
    else {
      if (!nouns.has(first)) top.push({ word: first, summary: `${first} commands` })
      nouns.set(first, [...(nouns.get(first) ?? []), { word: verb, summary: row.summary }])
    }
    const choices = row.arguments.flatMap((argument) => argument.choices ?? [])
    const words = [
      ...choices.map((word) => ({ word, summary: word })),
      ...row.options.flatMap(flagWords),
      ...shared,
    ]
    contexts.push({ after: row.name, words: once(words) })
  }
  for (const [noun, words] of nouns) contexts.push({ after: noun, words: [...words, ...shared] })
  return [
    { after: '', words: [...top, ...shared, { word: '--version', summary: 'print the version' }] },
    ...contexts,
  ]
}

/** The flags after which a value stands, which is no part of the command. */
function valueFlags(globals: readonly OptionRow[]): string[] {
  return globals
    .filter(({ flags }) => flags.includes('<'))
    .flatMap(flagWords)
    .map(({ word }) => word)
}

function once(words: readonly CompletionWord[]): CompletionWord[] {
  return words.filter(({ word }, at) => words.findIndex((other) => other.word === word) === at)
}

function flagWords(option: OptionRow): CompletionWord[] {
  return [...option.flags.matchAll(/--?[a-z][a-z-]*/g)].map(([word]) => ({ word, summary: option.summary }))
}

const list = (words: readonly CompletionWord[]): string => words.map(({ word }) => word).join(' ')

function bash(contexts: readonly CompletionContext[], valued: readonly string[]): string {
  const cases = contexts.map(({ after, words }) => `    '${after}') words='${list(words)}' ;;`)
  return `# bash completion for countersign
_countersign() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word value=''
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  for word in "\${before[@]}"; do
    if [ -n "$value" ]; then value=''; continue; fi
    case "$word" in
      ${valued.join('|')}) value=yes; continue ;;
      -*) continue ;;
    esac
    path="\${path:+$path }$word"
  done
  while :; do
    case "$path" in
${cases.map((line) => `  ${line}`).join('\n')}
    esac
    if [ -n "$words" ] || [ -z "$path" ]; then break; fi
    case "$path" in *' '*) path="\${path% *}" ;; *) path='' ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _countersign countersign
`
}

function zsh(contexts: readonly CompletionContext[], valued: readonly string[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''")
  const entry = ({ word, summary }: CompletionWord) =>
    `'${quote(word.replaceAll(':', '\\:'))}:${quote(summary)}'`
  const cases = contexts.map(
    ({ after, words }) => `      '${after}') options=(${words.map(entry).join(' ')}) ;;`,
  )
  return `#compdef countersign
_countersign() {
  local place='' word value=''
  local -a options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$value" ]]; then value=''; continue; fi
    case "$word" in
      ${valued.join('|')}) value=yes; continue ;;
      -*) continue ;;
    esac
    place="\${place:+$place }$word"
  done
  while true; do
    case "$place" in
${cases.join('\n')}
    esac
    if (( \${#options} )) || [[ -z "$place" ]]; then break; fi
    if [[ "$place" == *' '* ]]; then place="\${place% *}"; else place=''; fi
  done
  _describe 'countersign' options
}
if [ "$funcstack[1]" = '_countersign' ]; then _countersign; else compdef _countersign countersign; fi
`
}

function fish(contexts: readonly CompletionContext[], valued: readonly string[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = contexts.flatMap(({ after, words }) =>
    words.map(({ word, summary }) => {
      const flag = word.startsWith('--')
        ? `-l ${word.slice(2)}`
        : word.startsWith('-')
          ? `-s ${word.slice(1)}`
          : `-a ${word}`
      return `complete -c countersign -f -n ${quote(`__countersign_at '${after}'`)} ${flag} -d ${quote(summary)}`
    }),
  )
  const known = contexts.map(({ after }) => quote(after)).join(' ')
  return `# fish completion for countersign
function __countersign_at
    set -l place
    set -l value
    for word in (commandline -opc)[2..-1]
        if test -n "$value"
            set value
            continue
        end
        contains -- $word ${valued.join(' ')}; and set value yes; and continue
        string match -q -- '-*' $word; and continue
        set -a place $word
    end
    set -l path (string join ' ' $place)
    while not contains -- "$path" ${known}
        set -e place[-1]
        set path (string join ' ' $place)
    end
    test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}

function pwsh(contexts: readonly CompletionContext[], valued: readonly string[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
  const rows = contexts.map(
    ({ after, words }) =>
      `    ${quote(after)} = @(${words.map(({ word, summary }) => `@(${quote(word)}, ${quote(summary)})`).join(', ')})`,
  )
  return `# PowerShell completion for countersign
Register-ArgumentCompleter -Native -CommandName countersign -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $places = @{
${rows.join('\n')}
  }
  $before = @()
  $value = $false
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $word = $element.ToString()
    if ($value) { $value = $false; continue }
    if (@(${valued.map(quote).join(', ')}) -contains $word) { $value = $true; continue }
    if ($word -ne $wordToComplete -and -not $word.StartsWith('-')) { $before += $word }
  }
  $path = $before -join ' '
  while (-not $places.ContainsKey($path)) {
    $before = @($before | Select-Object -SkipLast 1)
    $path = $before -join ' '
  }
  $places[$path] | Where-Object { $_[0].StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`
}
