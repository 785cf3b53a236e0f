/** What the settings say of accounts. */
import type { SyncReport } from '@countersign/contract'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('accounts', {
  more: 'More',
  add: 'Add',
  save: 'Save',
  change: 'Change',
  changeTitle: (name: string) => `Change ${name}`,
  stored: (name: string, ledger: number) => `${name} was stored. Ledger #${ledger}.`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removed: (name: string, ledger: number) => `${name} was removed. Ledger #${ledger}.`,
  never: 'never',
  name: 'Name',
  nameHint: 'A short name for this account. Your assistant uses it.',
  nameTaken: 'You already have an account of this name.',
  nameProblem: 'Use lower case letters, digits, - and _, beginning with a letter.',
  user: 'User name',
  userOptional: 'User name (optional)',
  userProblem: 'Give the name to sign in with.',
  lineProblem: 'One line, and not so long.',
  passwordLabel: 'Password',
  passwordHint:
    'Use an app password where your provider has them. It goes into the vault, for these servers only, and is never shown again.',
  newPassword: 'New password (optional)',
  newPasswordHint: 'Leave it empty to keep the one in the vault.',
  passwordNeeded: 'Give the password.',
  passwordProblem: 'At least 8 characters, with at least 4 different ones.',
  mail: {
    list: {
      title: 'E-mail',
      about:
        'Accounts that your assistant may read, and write with once you approve. For Google and Microsoft, add it in a terminal: countersign mail add --help shows how to sign in there.',
      none: 'You have added no e-mail account.',
      add: 'Add e-mail account',
    },
    addTitle: 'Add an e-mail account',
    storedButOff: (name: string, ledger: number) =>
      `${name} was stored. Switch the e-mail tools on under Tools. Ledger #${ledger}.`,
    test: 'Test the connection',
    works: (name: string) => `${name} can be reached, and lets you in.`,
    address: 'Address',
    addressProblem: 'One address, such as me@example.org.',
    imap: {
      label: 'Reads from (IMAP)',
      hint: 'Your provider’s server for incoming mail.',
      example: 'imap.example.org',
    },
    smtp: {
      label: 'Sends by (SMTP)',
      hint: 'Your provider’s server for outgoing mail.',
      example: 'smtp.example.org',
    },
    serverProblems: {
      unclear: 'One server, such as imap.example.org or mail.example.org:143.',
      unencrypted: 'Without encryption only this computer can be reached.',
    },
    security: 'Encryption',
    securities: {
      usual: 'As is usual for the port',
      tls: 'TLS',
      starttls: 'STARTTLS',
      none: 'None (this computer only)',
    },
    userHint: 'Leave it empty where it is your address.',
    displayNameOptional: 'Your name in e-mails (optional)',
    displayNameHint: 'Stands beside your address.',
    openedBy: 'Opened by',
    password: { kept: 'a password in the vault', missing: 'no password' },
    signIn: { kept: 'a sign-in in the vault', missing: 'signed out', inTerminal: 'Sign in from a terminal.' },
    removeAbout:
      'Its password or sign-in is deleted here. At your provider it stays valid until you revoke it there. E-mails stay on the server.',
    examples: {
      name: 'work',
      address: 'me@example.org',
    },
  },
  calendar: {
    list: {
      title: 'Calendars and contacts',
      about: 'Servers (CalDAV and CardDAV) with which your events and contacts are kept the same.',
      none: 'You have added no calendar account.',
      add: 'Add calendar account',
    },
    addTitle: 'Add a calendar account',
    server: 'Server',
    serverHint: 'The address that your provider gives for CalDAV.',
    serverProblem: 'An address such as https://dav.example.org/. Without TLS only localhost can be reached.',
    direction: 'Direction',
    directions: {
      both: 'Both ways',
      new: 'Both ways, and new entries go there',
      pull: 'From the server only',
    },
    bothHint: 'What you change here is changed there.',
    pullHint: 'Nothing is written to the server.',
    receivesNew: 'Copy the events and contacts that you have here, and those that you add',
    every: 'Every so many minutes',
    everyProblem: 'From 1 to 1440 minutes.',
    sync: 'Sync now',
    ended: ({ account, taken, removed, sent }: SyncReport) =>
      `${account}: ${taken} taken, ${removed} removed, ${sent} sent.`,
    conflicts: (count: number) =>
      plural(count, { one: '# conflict is shown below.', other: '# conflicts are shown below.' }),
    synced: 'Kept the same',
    entries: (events: number, contacts: number) =>
      `${plural(events, { one: '# event', other: '# events' })}, ${plural(contacts, { one: '# contact', other: '# contacts' })}`,
    lastSync: 'Last sync',
    asking: (count: number) =>
      plural(count, { one: '# change waits for you.', other: '# changes wait for you.' }),
    review: 'Review',
    staysHere: (count: number) =>
      plural(count, {
        one: '# change stays here, since you denied it.',
        other: '# changes stay here, since you denied them.',
      }),
    unreadable: (count: number) =>
      plural(count, {
        one: '# entry cannot be read and stays on the server.',
        other: '# entries cannot be read and stay on the server.',
      }),
    removeAbout:
      'Its password is deleted here. Events and contacts stay here and on the server. At your provider an app password stays valid until you revoke it there.',
    examples: { name: 'home', server: 'https://dav.example.org/' },
  },
  conflicts: {
    title: 'Conflicts',
    about: 'These were changed here and on the server. Keep one side; the other follows with the next sync.',
    kinds: { event: 'Event', contact: 'Contact' },
    field: 'What',
    mine: 'Here',
    theirs: 'On the server',
    nothing: 'nothing',
    keep: { mine: 'Keep what is here', theirs: 'Keep what the server has' },
    settled: { mine: 'Kept what is here.', theirs: 'Kept what the server has.' },
  },
})
