/** Owns the first page of the help: the commands of every day first, then the others by what one wants to do. */
import type { CommandRow, OptionRow } from './command-row.ts'
import { columns, indent } from './output/columns.ts'

interface HelpGroup {
  readonly title: string
  /** First words of commands, in the order in which they are shown. */
  readonly commands: readonly string[]
}

export const helpGroups: readonly HelpGroup[] = [
  { title: 'Every day', commands: ['up', 'chat', 'approval', 'status', 'open'] },
  {
    title: 'Talk and delegate',
    commands: ['ask', 'session', 'question', 'agent', 'goal', 'task', 'plan', 'automation', 'memory'],
  },
  { title: 'Decide', commands: ['grant', 'what-can', 'policy', 'file', 'pause', 'resume'] },
  { title: 'Look back', commands: ['feed', 'run', 'why', 'ledger', 'cost', 'expense', 'search'] },
  {
    title: 'Set up',
    commands: [
      'onboard',
      'provider',
      'model',
      'tool',
      'mail',
      'calendar-account',
      'channel',
      'peer',
      'program',
      'mcp',
      'secret',
      'device',
      'node',
      'coding-agent',
      'extension',
      'plugin',
      'config',
      'service',
      'completion',
    ],
  },
  {
    title: 'System',
    commands: ['down', 'health', 'limits', 'doctor', 'paths', 'version', 'uninstall', 'witness'],
  },
]

const examples = [
  ['countersign onboard', 'set it up, in about five minutes'],
  ['countersign ask what is in the workspace', 'one message, one reply'],
  ['countersign approval approve K7Q2', 'look at a request and approve it'],
  ['countersign why K7Q2', 'who caused it, and which rule applied'],
] as const

export function rootHelp(
  table: readonly CommandRow[],
  nouns: Readonly<Record<string, string>>,
  options: readonly OptionRow[],
): string {
  const known = new Map(
    table.map((row) => {
      const [first = ''] = row.name.split(' ')
      return [first, nouns[first] ?? row.summary]
    }),
  )
  const widest = Math.max(...[...known.keys()].map(({ length }) => length))
  const listed = new Set(helpGroups.flatMap(({ commands }) => commands))
  const others = [...known.keys()].filter((name) => !listed.has(name))
  const groups = [...helpGroups, ...(others.length === 0 ? [] : [{ title: 'More', commands: others }])]
  const section = (title: string, rows: readonly (readonly string[])[]) =>
    `${title}\n${indent(columns(rows))}`
  return [
    'Countersign: an assistant that acts for you, and asks before it matters.',
    'Usage: countersign <command> [options]',
    ...groups.map(({ title, commands }) =>
      section(
        title,
        commands.flatMap((name) => {
          const summary = known.get(name)
          return summary === undefined ? [] : [[name.padEnd(widest), summary]]
        }),
      ),
    ),
    section('Examples', examples),
    section(
      'Options of every command',
      [...options, { flags: '-h, --help', summary: 'show help' }].map(({ flags, summary }) => [
        flags,
        summary,
      ]),
    ),
    '`countersign <command> --help` shows a command, its options and examples.',
  ].join('\n\n')
}

const usualVerbs = ['list', 'show', 'status', 'query', 'marks']

/** What a noun alone does: it shows what there is. Undefined where the noun has no such verb. */
export function defaultVerb(noun: string, table: readonly CommandRow[]): string | undefined {
  return usualVerbs.find((verb) =>
    table.some((row) => row.name === `${noun} ${verb}` && !row.arguments.some(({ required }) => required)),
  )
}
