/** The rows of `countersign calendar-account`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const calendarAccountSummary = 'calendar servers with which events and contacts are synced'

const account = needed('name', 'a short name for the account, such as home')

export const calendarAccountRows: readonly CommandRow[] = [
  {
    name: 'calendar-account list',
    summary: 'list calendar accounts and how they stand; never shows passwords',
    arguments: [],
    options: [],
    examples: ['countersign calendar-account list'],
    load: async () => (await import('../calendar-account.ts')).list,
  },
  {
    name: 'calendar-account add',
    summary: 'add or change a CalDAV and CardDAV account; prompts for the password or reads it from stdin',
    arguments: [account],
    options: [
      { flags: '--server <address>', summary: 'address of the server, or of one calendar' },
      { flags: '--user <name>', summary: 'name to sign in with' },
      { flags: '--pull-only', summary: 'take from the server and bring nothing to it' },
      { flags: '--receives-new', summary: 'bring events and contacts that are made here to this account' },
      { flags: '--every <minutes>', summary: 'how often to look (default: 15)' },
    ],
    examples: [
      'countersign calendar-account add home --server https://dav.example.org/ --user me --receives-new',
      'countersign calendar-account add team --server https://cal.example.net/dav/team/ --user me --pull-only',
    ],
    load: async () => (await import('../calendar-account.ts')).add,
  },
  {
    name: 'calendar-account sync',
    summary: 'sync an account now',
    arguments: [account],
    options: [],
    examples: ['countersign calendar-account sync home'],
    load: async () => (await import('../calendar-account.ts')).sync,
  },
  {
    name: 'calendar-account conflicts',
    summary: 'show what was changed here and on the server',
    arguments: [],
    options: [],
    examples: ['countersign calendar-account conflicts'],
    load: async () => (await import('../calendar-account.ts')).conflicts,
  },
  {
    name: 'calendar-account settle',
    summary: 'settle a conflict: keep what is here, or what the server has',
    arguments: [needed('id', 'the id of the conflict, or all')],
    options: [{ flags: '--keep <side>', summary: 'mine or theirs' }],
    examples: [
      'countersign calendar-account settle event_0198f2a4 --keep mine',
      'countersign calendar-account settle all --keep theirs',
    ],
    load: async () => (await import('../calendar-account.ts')).settle,
  },
  {
    name: 'calendar-account remove',
    summary: 'remove an account and its password; events and contacts stay',
    arguments: [account],
    options: [],
    examples: ['countersign calendar-account remove home'],
    load: async () => (await import('../calendar-account.ts')).remove,
  },
]
