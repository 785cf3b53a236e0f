/** The rows of `countersign session`: conversations, threads, copies, files and what ended. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const sessionSummary = 'conversations'

const session: ArgumentRow = {
  name: 'session',
  summary: 'id of a session, or its beginning or end',
  required: true,
  id: 'ses',
}
const title = { flags: '--title <text>', summary: 'title of the new session' }

export const sessionRows: readonly CommandRow[] = [
  {
    name: 'session list',
    summary: 'list sessions, newest first',
    arguments: [],
    options: [{ flags: '--all', summary: 'also archived ones and those of Countersign itself' }],
    examples: ['countersign session list'],
    load: async () => (await import('../session.ts')).list,
  },
  {
    name: 'session show',
    summary: 'show the messages and runs of a session',
    arguments: [session],
    options: [],
    examples: ['countersign session show ses_0198…'],
    load: async () => (await import('../session.ts')).show,
  },
  {
    name: 'session thread',
    summary: 'show messages and calls, one page at a time',
    arguments: [session],
    options: [
      { flags: '--before <place>', summary: 'only messages older than this one' },
      { flags: '--limit <count>', summary: 'maximum number of messages (default: 50)' },
    ],
    examples: ['countersign session thread ses_0198…', 'countersign session thread ses_0198… --before 412'],
    load: async () => (await import('../session.ts')).thread,
  },
  {
    name: 'session search',
    summary: 'search archived conversations',
    arguments: [{ name: 'words', summary: 'search words', required: true }],
    options: [
      {
        flags: '--since <time>',
        summary: 'today, last_week, last_month, last_year or all (default: all)',
      },
    ],
    examples: [
      'countersign session search "boat trip"',
      'countersign session search invoices --since last_month',
    ],
    load: async () => (await import('../session.ts')).search,
  },
  {
    name: 'session rename',
    summary: 'rename a session',
    arguments: [session, { name: 'title', summary: 'new title', required: true }],
    options: [],
    examples: ['countersign session rename ses_0198… "Boat trip"'],
    load: async () => (await import('../session.ts')).rename,
  },
  {
    name: 'session fork',
    summary: 'start a session with the messages of another, up to a given one',
    arguments: [session],
    options: [
      { flags: '--at <place>', summary: 'last message to copy, numbered as in `session thread`' },
      { flags: '--before <run>', summary: 'copy the messages before this run' },
      { flags: '--simulate', summary: 'answer calls with recorded results and do nothing' },
      title,
    ],
    examples: [
      'countersign session fork ses_0198…',
      'countersign session fork ses_0198… --at 412 --title "Plan B"',
    ],
    load: async () => (await import('../session.ts')).fork,
  },
  {
    name: 'session archive',
    summary: 'archive a conversation; the agent then sees a summary',
    arguments: [session],
    options: [],
    examples: ['countersign session archive ses_0198…'],
    load: async () => (await import('../session.ts')).archive,
  },
  {
    name: 'session asked',
    summary: 'show what your words in a conversation ask for, as it was listed',
    arguments: [session],
    options: [],
    examples: ['countersign session asked ses_0198…'],
    load: async () => (await import('../session-asked.ts')).asked,
  },
  {
    name: 'session take-back',
    summary: 'take back what your words asked for; later calls ask',
    arguments: [session],
    options: [],
    examples: ['countersign session take-back ses_0198…'],
    load: async () => (await import('../session-asked.ts')).takeBack,
  },
  {
    name: 'session clear',
    summary: 'erase what was said in a conversation, which goes on; the ledger keeps the beginning of it',
    arguments: [session],
    options: [],
    examples: ['countersign session clear ses_0198…'],
    load: async () => (await import('../session.ts')).clear,
  },
  {
    name: 'session tools',
    summary: 'give the agent of a conversation tools that it does not have elsewhere',
    arguments: [
      session,
      {
        name: 'tools',
        summary: 'names of all its extra tools; none to see them',
        required: false,
        many: true,
      },
    ],
    options: [{ flags: '--clear', summary: 'take all of them away' }],
    examples: [
      'countersign session tools ses_0198…',
      'countersign session tools ses_0198… write_file search_web',
      'countersign session tools ses_0198… --clear',
    ],
    load: async () => (await import('../session.ts')).tools,
  },
  {
    name: 'session set',
    summary: 'keep metadata with a session; an empty value removes an entry',
    arguments: [session, { name: 'entries', summary: 'entries as name=value', required: true, many: true }],
    options: [],
    examples: [
      'countersign session set ses_0198… project=boat client=Ana',
      'countersign session set ses_0198… client=',
    ],
    load: async () => (await import('../session.ts')).set,
  },
  {
    name: 'session rm',
    summary: 'delete a conversation with all its content; the ledger keeps the beginning of it',
    arguments: [session],
    options: [],
    examples: ['countersign session rm ses_0198…'],
    load: async () => (await import('../session.ts')).remove,
  },
  {
    name: 'session export',
    summary: 'export a conversation, without secrets',
    arguments: [session],
    options: [{ flags: '--out <file>', summary: 'new output file (default: stdout)' }],
    examples: ['countersign session export ses_0198… --out boats.json'],
    load: async () => (await import('../session.ts')).exported,
  },
  {
    name: 'session import',
    summary: 'import a session from an export; its content is untrusted',
    arguments: [{ name: 'file', summary: 'file written by `session export`', required: true }],
    options: [{ flags: '--mine', summary: 'treat the content as your own words' }, title],
    examples: ['countersign session import boats.json', 'countersign session import boats.json --mine'],
    load: async () => (await import('../session.ts')).imported,
  },
]
