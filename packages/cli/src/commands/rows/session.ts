/** The rows of `countersign session`: conversations, threads, copies, files and what ended. */
import { type ArgumentRow, type CommandRow, needed } from '../../command-row.ts'

export const sessionSummary = 'conversations'

const session: ArgumentRow = { name: 'session', summary: 'the id of a session', required: true }
const title = { flags: '--title <text>', summary: 'what the new session is called' }

export const sessionRows: readonly CommandRow[] = [
  {
    name: 'session list',
    summary: 'list sessions, newest first',
    arguments: [],
    options: [],
    examples: ['countersign session list'],
    load: async () => (await import('../session.ts')).list,
  },
  {
    name: 'session show',
    summary: 'show the messages and runs of a session',
    arguments: [needed('session', 'the id of a session')],
    options: [],
    examples: ['countersign session show ses_0198…'],
    load: async () => (await import('../session.ts')).show,
  },
  {
    name: 'session thread',
    summary: 'show what was said and done, a page at a time',
    arguments: [session],
    options: [
      { flags: '--before <place>', summary: 'only what is older than this message' },
      { flags: '--limit <count>', summary: 'how many messages; 50 unless it says so' },
    ],
    examples: ['countersign session thread ses_0198…', 'countersign session thread ses_0198… --before 412'],
    load: async () => (await import('../session.ts')).thread,
  },
  {
    name: 'session search',
    summary: 'find a conversation that ended, by words',
    arguments: [{ name: 'words', summary: 'what was spoken of', required: true }],
    options: [
      {
        flags: '--since <time>',
        summary: 'today, last_week, last_month, last_year or all; all unless it says so',
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
    summary: 'give a session another title',
    arguments: [session, { name: 'title', summary: 'the new title', required: true }],
    options: [],
    examples: ['countersign session rename ses_0198… "Boat trip"'],
    load: async () => (await import('../session.ts')).rename,
  },
  {
    name: 'session fork',
    summary: 'begin a session with the words of another, up to a message',
    arguments: [session],
    options: [
      { flags: '--at <place>', summary: 'the last message that is taken, as `session thread` numbers it' },
      { flags: '--before <run>', summary: 'take what was said before this run began' },
      { flags: '--simulate', summary: 'do nothing in it: answer calls with what was recorded' },
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
    summary: 'end a conversation: the agent is shown a summary from now on',
    arguments: [session],
    options: [],
    examples: ['countersign session archive ses_0198…'],
    load: async () => (await import('../session.ts')).archive,
  },
  {
    name: 'session export',
    summary: 'write a conversation to a file, without secrets',
    arguments: [session],
    options: [{ flags: '--out <file>', summary: 'a new file; stdout unless it says so' }],
    examples: ['countersign session export ses_0198… --out boats.json'],
    load: async () => (await import('../session.ts')).exported,
  },
  {
    name: 'session import',
    summary: 'make a session of such a file; its words are untrusted',
    arguments: [{ name: 'file', summary: 'what `session export` wrote', required: true }],
    options: [{ flags: '--mine', summary: 'vouch for all that it says' }, title],
    examples: ['countersign session import boats.json', 'countersign session import boats.json --mine'],
    load: async () => (await import('../session.ts')).imported,
  },
]
