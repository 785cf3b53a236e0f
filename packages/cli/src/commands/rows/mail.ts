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
    summary: 'add or change an e-mail account; prompts for the password, or signs in with --oauth',
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
      {
        flags: '--oauth <provider>',
        summary: 'sign in by OAuth2 instead of a password: google, microsoft or other',
      },
      { flags: '--client-id <id>', summary: 'with --oauth: the client that you registered at the provider' },
      {
        flags: '--client-secret',
        summary:
          'with --oauth: prompt for the secret of the client, or read it from stdin (always with google)',
      },
      { flags: '--authorization-url <url>', summary: 'with --oauth other: where a browser signs in' },
      { flags: '--token-url <url>', summary: 'with --oauth other: where tokens come from' },
      { flags: '--device-url <url>', summary: 'with --oauth other: where device codes come from' },
      {
        flags: '--issuer <url>',
        summary: 'with --oauth: what the provider calls itself (default: the host where a browser signs in)',
      },
      { flags: '--scope <words>', summary: 'with --oauth: what to ask for, separated by spaces' },
      {
        flags: '--device',
        summary: 'with --oauth: sign in with a code typed on any device, without a browser',
      },
    ],
    examples: [
      'countersign mail add work --address me@example.org --imap imap.example.org --smtp smtp.example.org',
      'countersign mail add home --address me@example.net --imap mail.example.net --smtp mail.example.net:587',
      'pass show mail | countersign mail add work --address me@example.org --imap imap.example.org --smtp smtp.example.org',
      'countersign mail add gmail --address me@gmail.com --oauth google --client-id 1234.apps.googleusercontent.com',
      'countersign mail add office --address me@example.com --oauth microsoft --client-id 0f2b… --device',
    ],
    load: async () => (await import('../mail.ts')).add,
  },
  {
    name: 'mail sign-in',
    summary: 'sign in again to an account that was added with --oauth',
    arguments: [account],
    options: [{ flags: '--device', summary: 'sign in with a code typed on any device, without a browser' }],
    examples: ['countersign mail sign-in gmail', 'countersign mail sign-in office --device'],
    load: async () => (await import('../mail-sign-in.ts')).signIn,
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
    name: 'mail searchable',
    summary:
      'let the e-mails of an account be found by meaning, or take them out of the search (default: off)',
    arguments: [account, needed('state', 'on or off')],
    options: [],
    examples: ['countersign mail searchable work on', 'countersign mail searchable work off'],
    load: async () => (await import('../mail.ts')).searchable,
  },
  {
    name: 'mail remove',
    summary: 'remove an e-mail account and what opened it',
    arguments: [account],
    options: [],
    examples: ['countersign mail remove work'],
    load: async () => (await import('../mail.ts')).remove,
  },
]
