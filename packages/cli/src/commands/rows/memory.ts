/** The rows of `countersign memory` in the table of commands. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const memorySummary = 'what is remembered of you, where it came from, and making it right'

const memory: ArgumentRow = {
  name: 'memory',
  summary: 'the id of a memory, as `memory list` shows it',
  required: true,
}
const type: OptionRow = { flags: '--type <type>', summary: 'fact, preference, event or skill' }
const tag: OptionRow = { flags: '--tag <tag>', summary: 'only with this tag' }
const goal: OptionRow = { flags: '--goal <id>', summary: 'only of this goal' }
const fields: readonly OptionRow[] = [
  type,
  {
    flags: '--importance <number>',
    summary: 'from 0 to 1; what is important is recalled sooner and fades later',
  },
  { flags: '--tags <list>', summary: 'words to find it by, with commas' },
]

export const memoryRows: readonly CommandRow[] = [
  {
    name: 'memory search',
    summary: 'find memories by their words and what they mean',
    arguments: [{ name: 'words', summary: 'what it is about', required: true }],
    options: [type, tag, goal, { flags: '--limit <count>', summary: 'how many at most; 10' }],
    examples: [
      'countersign memory search "how do I like my coffee"',
      'countersign memory search dentist --type event',
    ],
    load: async () => (await import('../memory.ts')).search,
  },
  {
    name: 'memory list',
    summary: 'list what is remembered, the pinned first, then the latest',
    arguments: [],
    options: [
      { flags: '--status <status>', summary: 'active, suggested, superseded, rejected or all; active' },
      type,
      tag,
      goal,
      { flags: '--limit <count>', summary: 'how many at most; 50' },
    ],
    examples: ['countersign memory list', 'countersign memory list --type preference --json'],
    load: async () => (await import('../memory.ts')).list,
  },
  {
    name: 'memory show',
    summary: 'show a memory, the words it came from, and where it was used',
    arguments: [memory],
    options: [],
    examples: ['countersign memory show mem_0198…'],
    load: async () => (await import('../memory.ts')).show,
  },
  {
    name: 'memory add',
    summary: 'add a memory of your own',
    arguments: [{ name: 'content', summary: 'what to remember, as one sentence', required: true }],
    options: [
      ...fields,
      { flags: '--goal <id>', summary: 'only for this goal; everywhere unless it says so' },
      { flags: '--pin', summary: 'keep it first; it does not fade' },
    ],
    examples: [
      'countersign memory add "I prefer short answers" --type preference',
      'countersign memory add "The boiler is serviced in May" --tags home,boiler --importance 0.8',
    ],
    load: async () => (await import('../memory.ts')).add,
  },
  {
    name: 'memory edit',
    summary: 'change a memory; with --correct the earlier words are kept as superseded',
    arguments: [memory],
    options: [
      { flags: '--content <text>', summary: 'the new words' },
      { flags: '--correct', summary: 'with --content: keep the earlier words, unused' },
      ...fields,
      { flags: '--goal <id>', summary: 'only for this goal; “none” for everywhere' },
      { flags: '--pin', summary: 'keep it first; it does not fade' },
      { flags: '--unpin', summary: 'let it fade like the others' },
    ],
    examples: [
      'countersign memory edit mem_0198… --content "Lives in Graz" --correct',
      'countersign memory edit mem_0198… --importance 0.9 --pin',
    ],
    load: async () => (await import('../memory.ts')).edit,
  },
  {
    name: 'memory forget',
    summary: 'forget for good: the memory, its entries in the index, its words in summaries and logs',
    arguments: [{ name: 'what', summary: 'the id of a memory, or words that it holds', required: true }],
    options: [
      { flags: '--dry-run', summary: 'say what would go, and leave everything' },
      { flags: '--yes', summary: 'do not ask again here' },
    ],
    examples: ['countersign memory forget "dentist" --dry-run', 'countersign memory forget mem_0198…'],
    load: async () => (await import('../memory.ts')).forget,
  },
  {
    name: 'memory review',
    summary: 'go through what was inferred; nothing of it is used before you accept it',
    arguments: [{ name: 'memory', summary: 'the id of one suggestion', required: false }],
    options: [
      { flags: '--accept', summary: 'put this suggestion in use' },
      { flags: '--reject', summary: 'reject it; it is not suggested again' },
      { flags: '--content <text>', summary: 'with --accept: in these words instead' },
    ],
    examples: [
      'countersign memory review',
      'countersign memory review mem_0198… --accept --content "Pays rent on the 3rd"',
    ],
    load: async () => (await import('../memory-review.ts')).review,
  },
  {
    name: 'memory stats',
    summary: 'how much is remembered, and of what kind',
    arguments: [],
    options: [],
    examples: ['countersign memory stats'],
    load: async () => (await import('../memory.ts')).stats,
  },
  {
    name: 'memory export',
    summary: 'write everything out as JSON lines',
    arguments: [],
    options: [{ flags: '--out <file>', summary: 'into this file, which only you can read' }],
    examples: ['countersign memory export --out memories.jsonl'],
    load: async () => (await import('../memory.ts')).exported,
  },
  {
    name: 'memory never',
    summary: 'words whose memories are refused: see them, add some, take one off',
    arguments: [{ name: 'words', summary: 'words that no memory may hold', required: false }],
    options: [{ flags: '--rm <id>', summary: 'take this entry off the list' }],
    examples: [
      'countersign memory never',
      'countersign memory never "my salary"',
      'countersign memory never --rm never_0198…',
    ],
    load: async () => (await import('../memory.ts')).never,
  },
]
