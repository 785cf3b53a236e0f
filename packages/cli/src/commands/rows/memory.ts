/** The rows of `countersign memory` in the table of commands. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const memorySummary = 'what is remembered about you, with its sources'

const memory: ArgumentRow = {
  name: 'memory',
  summary: 'id of a memory, as shown by `memory list`',
  required: true,
  id: 'mem',
}
const type: OptionRow = { flags: '--type <type>', summary: 'fact, preference, event or skill' }
const tag: OptionRow = { flags: '--tag <tag>', summary: 'only with this tag' }
const goal: OptionRow = { flags: '--goal <id>', summary: 'only for this goal', id: 'goal' }
const fields: readonly OptionRow[] = [
  type,
  {
    flags: '--importance <number>',
    summary: 'from 0 to 1; what is important is recalled sooner and fades later',
  },
  { flags: '--tags <list>', summary: 'tags, separated by commas' },
]

export const memoryRows: readonly CommandRow[] = [
  {
    name: 'memory search',
    summary: 'find memories by words and by meaning',
    arguments: [{ name: 'words', summary: 'search words', required: true }],
    options: [type, tag, goal, { flags: '--limit <count>', summary: 'maximum number of rows (default: 10)' }],
    examples: [
      'countersign memory search "how do I like my coffee"',
      'countersign memory search dentist --type event',
    ],
    load: async () => (await import('../memory.ts')).search,
  },
  {
    name: 'memory list',
    summary: 'list memories, pinned ones first, then newest first',
    arguments: [],
    options: [
      {
        flags: '--status <status>',
        summary: 'status: active, suggested, superseded, rejected or all (default: active)',
      },
      type,
      tag,
      goal,
      { flags: '--limit <count>', summary: 'maximum number of rows (default: 50)' },
    ],
    examples: ['countersign memory list', 'countersign memory list --type preference --json'],
    load: async () => (await import('../memory.ts')).list,
  },
  {
    name: 'memory show',
    summary: 'show a memory, its source and where it was used',
    arguments: [memory],
    options: [],
    examples: ['countersign memory show mem_0198…'],
    load: async () => (await import('../memory.ts')).show,
  },
  {
    name: 'memory add',
    summary: 'add a memory',
    arguments: [{ name: 'content', summary: 'what to remember, in one sentence', required: true }],
    options: [
      ...fields,
      { flags: '--goal <id>', summary: 'only for this goal (default: everywhere)', id: 'goal' },
      { flags: '--pin', summary: 'pin it, so that it does not fade' },
    ],
    examples: [
      'countersign memory add "I prefer short answers" --type preference',
      'countersign memory add "The boiler is serviced in May" --tags home,boiler --importance 0.8',
    ],
    load: async () => (await import('../memory.ts')).add,
  },
  {
    name: 'memory edit',
    summary: 'change a memory; with --correct the old text is kept as superseded',
    arguments: [memory],
    options: [
      { flags: '--content <text>', summary: 'new text' },
      { flags: '--correct', summary: 'with --content: keep the old text as superseded' },
      ...fields,
      { flags: '--goal <id>', summary: 'only for this goal, or none for everywhere', id: 'goal' },
      { flags: '--pin', summary: 'pin it, so that it does not fade' },
      { flags: '--unpin', summary: 'unpin it' },
    ],
    examples: [
      'countersign memory edit mem_0198… --content "Lives in Graz" --correct',
      'countersign memory edit mem_0198… --importance 0.9 --pin',
    ],
    load: async () => (await import('../memory.ts')).edit,
  },
  {
    name: 'memory forget',
    summary: 'erase a memory permanently: from the index, from summaries and from logs',
    arguments: [
      { name: 'what', summary: 'id of a memory, or words in it', required: true, id: 'mem', orName: true },
    ],
    options: [
      { flags: '--dry-run', summary: 'show what would be erased without erasing it' },
      { flags: '--yes', summary: 'skip the confirmation' },
    ],
    examples: ['countersign memory forget "dentist" --dry-run', 'countersign memory forget mem_0198…'],
    load: async () => (await import('../memory.ts')).forget,
  },
  {
    name: 'memory review',
    summary: 'review suggested memories; none is used before you accept it',
    arguments: [{ name: 'memory', summary: 'id of one suggestion', required: false, id: 'mem' }],
    options: [
      { flags: '--accept', summary: 'accept this suggestion' },
      { flags: '--reject', summary: 'reject this suggestion; it is not suggested again' },
      { flags: '--content <text>', summary: 'with --accept: use this text instead' },
    ],
    examples: [
      'countersign memory review',
      'countersign memory review mem_0198… --accept --content "Pays rent on the 3rd"',
    ],
    load: async () => (await import('../memory-review.ts')).review,
  },
  {
    name: 'memory stats',
    summary: 'show how many memories there are, by kind',
    arguments: [],
    options: [],
    examples: ['countersign memory stats'],
    load: async () => (await import('../memory.ts')).stats,
  },
  {
    name: 'memory export',
    summary: 'export all memories as JSON lines',
    arguments: [],
    options: [{ flags: '--out <file>', summary: 'output file, readable by you only' }],
    examples: ['countersign memory export --out memories.jsonl'],
    load: async () => (await import('../memory.ts')).exported,
  },
  {
    name: 'memory never',
    summary: 'list, add or remove words that must never be remembered',
    arguments: [{ name: 'words', summary: 'words that no memory may contain', required: false }],
    options: [{ flags: '--rm <id>', summary: 'remove this entry' }],
    examples: [
      'countersign memory never',
      'countersign memory never "my salary"',
      'countersign memory never --rm never_0198…',
    ],
    load: async () => (await import('../memory.ts')).never,
  },
]
