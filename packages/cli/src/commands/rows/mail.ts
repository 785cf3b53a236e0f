/** The rows of `countersign mail`. */
import { type CommandRow, needed } from '../../command-row.ts'

export const mailSummary = 'e-mail accounts that the agent may read and write with'

const account = needed('name', 'a short name for the account, such as work')

export const mailRows: readonly CommandRow[] = [
  {
    name: 'mail list',
    summary: 'list e-mail accounts; never shows passwords',
    arguments: [],
    options: [],
    examples: ['countersign mail list'],
    load: async () => (await import('../mail.ts')).list,
  },
  {
    name: 'mail add',
    summary: 'add or change an e-mail account; prompts for the password or reads it from stdin',
    arguments: [account],
    options: [
      { flags: '--address <address>', summary: 'your e-mail address' },
      { flags: '--imap <server>', summary: 'server for reading, with a port if it is not 993' },
      { flags: '--smtp <server>', summary: 'server for sending, with a port if it is not 465' },
      { flags: '--user <name>', summary: 'name to sign in with (default: the address)' },
      { flags: '--display-name <name>', summary: 'name that recipients see' },
      {
        flags: '--security <mode>',
        summary: 'tls, starttls or none (default: by the port; none on this computer only)',
      },
    ],
    examples: [
      'countersign mail add work --address me@example.org --imap imap.example.org --smtp smtp.example.org',
      'countersign mail add home --address me@example.net --imap mail.example.net --smtp mail.example.net:587',
      'pass show mail | countersign mail add work --address me@example.org --imap imap.example.org --smtp smtp.example.org',
    ],
    load: async () => (await import('../mail.ts')).add,
  },
  {
    name: 'mail test',
    summary: 'sign in at both servers of an account, and change nothing',
    arguments: [account],
    options: [],
    examples: ['countersign mail test work'],
    load: async () => (await import('../mail.ts')).test,
  },
  {
    name: 'mail remove',
    summary: 'remove an e-mail account and its password',
    arguments: [account],
    options: [],
    examples: ['countersign mail remove work'],
    load: async () => (await import('../mail.ts')).remove,
  },
]
