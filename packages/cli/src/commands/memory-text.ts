/** How memories are shown in a terminal. Their words are somebody's, so none is written unescaped. */
import type {
  ForgottenMemories,
  MemoryDetail,
  MemoryList,
  MemoryStats,
  MemoryView,
} from '@countersign/contract'
import type { Context } from '../context.ts'
import { columns, indent } from '../output/columns.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { shortId } from '../short-id.ts'

export const nothingYet = [
  "Nothing yet. I'll show you before I use inferred facts.",
  'Add something of your own with `countersign memory add "I prefer short answers" --type preference`.',
].join('\n')

export function memoryTable(found: readonly MemoryView[], context: Context): string {
  const rows = found.map((memory) => [
    line(memory.content),
    `${memory.type}${memory.pinned ? ', pinned' : ''}`,
    memory.status === 'active' ? '' : memory.status,
    memory.importance.toFixed(2),
    fromWords(memory),
    memory.uses === 0 ? 'never' : times(memory.uses),
    ago(memory.createdAt, context.moment()),
    shortId(memory.id),
  ])
  const header = ['Memory', 'Type', 'State', 'Weight', 'From', 'Used', 'Since', 'Id']
  return table(header, rows, context.host.output.columns)
}

export function moreWords({ items, total, offset }: MemoryList): string {
  const shown = offset + items.length
  return shown < total ? `${shown} of ${total}. See more with --limit, or narrow it down.` : ''
}

export function detailText({ memory, used, earlier }: MemoryDetail, context: Context): string {
  const { source, label } = memory
  const facts = [
    ['State', stateWords(memory)],
    ['Type', memory.type],
    ['Importance', `${memory.importance.toFixed(2)}${memory.pinned ? ', pinned: it does not fade' : ''}`],
    ['Holds', memory.goal === null ? 'everywhere' : `for the goal ${line(shortId(memory.goal))}`],
    ...(memory.tags.length > 0 ? [['Tags', memory.tags.map(line).join(', ')]] : []),
    ['From', fromWords(memory)],
    ...(source.session === undefined ? [] : [['Said in', source.session]]),
    ...(source.run === undefined ? [] : [['Run', source.run]]),
    ...(source.kind === 'inferred' ? [['Sure', `${Math.round(memory.confidence * 100)} %`]] : []),
    ...(label === null ? [] : [['Worth', `${label.integrity}, so reading it taints a run`]]),
    ['Since', ago(memory.createdAt, context.moment())],
    ['Used', usedWords(memory, context)],
    ['Id', memory.id],
  ]
  return [
    context.paint('strong', lines(memory.content)),
    indent(columns(facts)),
    ...(source.excerpt === undefined ? [] : ['Source:', indent(lines(source.excerpt), '  │ ')]),
    ...(used.length === 0
      ? []
      : ['Used by agents in:', indent(columns(used.map((use) => useRow(use, context))))]),
    ...(earlier.length === 0
      ? []
      : ['In place of:', indent(earlier.map(({ content, id }) => `${line(content)}  ${id}`).join('\n'))]),
    nextFor(memory),
  ].join('\n')
}

export function statsText(stats: MemoryStats, context: Context): string {
  if (stats.total === 0) return nothingYet
  const { status, type } = stats
  const kinds = Object.entries(type).filter(([, count]) => count > 0)
  return [
    columns([
      [
        'In use',
        String(status.active),
        kinds.map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', '),
      ],
      [
        'Wait for you',
        String(status.suggested),
        status.suggested === 0 ? '' : 'not used until you accept them',
      ],
      ['Superseded', String(status.superseded), ''],
      ['Rejected', String(status.rejected), ''],
      ['Pinned', String(stats.pinned), ''],
      ['Never used', String(stats.unused), ''],
      ...(stats.newestAt === null ? [] : [['Latest', ago(stats.newestAt, context.moment()), '']]),
    ]),
    ...(status.suggested === 0 ? [] : ['Review them with `countersign memory review`.']),
  ].join('\n')
}

/** What goes, in the words of a person who wants to know before. */
export function goesWords({ memories, earlier, traces }: ForgottenMemories): string {
  const isOne = memories + earlier === 1
  const parts = [
    memories === 1 ? '1 memory' : `${memories} memories`,
    ...(earlier === 0 ? [] : [earlier === 1 ? '1 earlier version' : `${earlier} earlier versions`]),
    isOne ? 'its entry in the search index' : 'their entries in the search index',
    ...(traces === 0
      ? []
      : [
          `${isOne ? 'its' : 'their'} words in ${traces} ${traces === 1 ? 'place' : 'places'} of summaries and logs`,
        ]),
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

export const staysWords =
  'What you and the agent wrote to each other stays in the conversation, and existing backups are not changed.'

export function fromWords({ source, label }: MemoryView): string {
  const who = { said: 'you said', inferred: 'inferred', agent: 'an agent', import: 'imported' }[source.kind]
  const outside =
    label === null || label.sources.length === 0 ? '' : ` from ${label.sources.map(line).join(', ')}`
  return `${who}${outside}`
}

function stateWords({ status, supersededBy }: MemoryView): string {
  switch (status) {
    case 'active':
      return 'in use'
    case 'suggested':
      return 'pending, not used until you accept it'
    case 'superseded':
      return supersededBy === null ? 'superseded' : `superseded by ${supersededBy}`
    case 'rejected':
      return 'rejected, never used'
  }
}

function nextFor({ id, status }: MemoryView): string {
  if (status === 'suggested') return `Decide with \`countersign memory review ${id} --accept\`, or --reject.`
  if (status === 'active')
    return `Correct it with \`countersign memory edit ${id} --content "…"\`, or forget it with \`countersign memory forget ${id}\`.`
  return `Erase it permanently with \`countersign memory forget ${id}\`.`
}

function usedWords({ uses, lastUsedAt }: MemoryView, context: Context): string {
  if (uses === 0 || lastUsedAt === null) return 'never so far'
  return `${times(uses)}, last ${ago(lastUsedAt, context.moment())}`
}

function useRow({ run, tool, at }: MemoryDetail['used'][number], context: Context): string[] {
  return [run, line(tool), at === null ? '' : ago(at, context.moment())]
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
