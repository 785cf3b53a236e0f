/** What the Settings screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'

export const words = inLanguage('settings', {
  title: 'Settings',
  tabs: {
    browser: 'This browser',
    you: 'You',
    language: 'Language',
    accounts: 'Accounts',
    programs: 'Programs',
    secrets: 'Secrets',
    data: 'Data',
    about: 'About',
  },
  you: {
    name: 'Your name',
    nameHint: 'Agents look it up when they need it, and it stands at the foot of the menu.',
    style: 'How agents should write to you',
    styleHint: 'For example: short, no small talk. Every agent is told it.',
    facts: 'Facts about you',
    preferences: 'What you prefer',
    interests: 'Your interests',
    lookedUp: 'One per line. Agents look it up when they need it.',
    instructions: 'Instructions for every agent',
    instructionsHint:
      'One per line. Every agent is told them, also while it looks at the web: write nothing private here. They never allow an agent more than the policy does.',
    zone: (zone: string) => `This page shows times in ${zone}, the time zone of this browser.`,
    zoneTitle: 'Time zone',
    zoneHint:
      'Days, limits and summaries begin at midnight here, and new automations use it. Automations that you have keep their own.',
    zoneNext: (zone: string, next: string) =>
      `${zone} holds until the gateway is started again, then ${next}.`,
    zoneSaved: (ledger: number) =>
      `Saved. It holds from the next start of the gateway on. Ledger #${ledger}.`,
    zoneUnknown: 'Enter a time zone such as Europe/Vienna.',
    save: 'Save',
    saved: (ledger: number) => `Saved. Ledger #${ledger}.`,
    tooLong: (most: number) => `At most ${most} characters.`,
    tooMany: (most: number, longest: number) => `At most ${most} lines of ${longest} characters each.`,
  },
  conversations: {
    silence: 'Minutes of silence after which a conversation ends',
    silenceHint:
      'Your next message then begins a new task: the agent no longer sees what was said before, and can search it. Private conversations end after half an hour.',
    silenceWrong: 'Enter a whole number from 10 to 240.',
    summaries: 'Summaries of earlier conversations',
    summariesHint: 'How many at most are told to agents that work for a goal, and to the feed.',
    summariesWrong: 'Enter a whole number from 0 to 10.',
    untilStart: (minutes: number, summaries: number) =>
      `Until the gateway is started again ${minutes} minutes and ${summaries} summaries hold.`,
    saved: (ledger: number) => `Saved. It holds from the next start of the gateway on. Ledger #${ledger}.`,
  },
  language: {
    title: 'Language',
    browser: 'Same as browser',
    english: 'English',
    german: 'Deutsch',
    about: 'The page reloads when you change it. Cards that you approve stay in English.',
  },
  data: {
    export: 'Export',
    exportAbout:
      'The ledger holds everything that was decided and done, with the proofs to verify it anywhere.',
    ledger: 'Export the ledger',
    memories: 'Export memories',
    saved: (file: string) => `Saved as ${file}.`,
    notSaved: 'The file could not be saved. Try again.',
    where: 'Where your data is',
    whereAbout:
      'All of it is on the computer that runs the gateway. For a full backup, stop the gateway and copy its data folder.',
    database: 'Database',
    mode: {
      embedded: (size: string) => `${size}, run by Countersign`,
      external: (size: string) => `${size}, your own server`,
    },
    workspace: 'Workspace',
    details: 'Details of calls',
    logs: 'Logs',
    free: 'Free disk space',
    elsewhere: 'Set on other screens',
    level: 'Level of autonomy',
    limits: 'Cost limits',
    models: 'Models',
    files: 'Files',
  },
  about: {
    version: 'Version',
    address: 'Address',
    gateway: 'Gateway',
    started: 'Started',
    licence: 'License',
    licenceName: 'Apache-2.0',
    docs: 'Documentation',
    docsWhere: 'In the folder docs of the source code',
    health: 'How everything is doing',
  },
  appearance: {
    title: 'Appearance and keys',
    theme: 'Theme',
    themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
    letters: 'Single-letter shortcuts',
    lettersHint: (key: ReactNode) => (
      <>
        Such as {key} to approve. They do nothing while you type. Shortcuts with a modifier key always work.
      </>
    ),
  },
  notifications: {
    title: 'Notifications',
    about:
      'A notification opens the request; it never decides. It is encrypted on its way through the browser’s push service.',
    toggle: 'Notify me on this device',
    hint: 'Choose below what for.',
    kindsTitle: 'What for',
    kinds: {
      approval: 'Something needs my approval',
      question: 'An agent has a question',
      failure: 'An automation failed',
      reminder: 'An event of your calendar is near',
      budget: 'A cost limit is near or reached',
      finished: 'A run that took longer than a minute has finished',
      summary: 'A new summary is ready on Today',
    },
    quiet: 'Quiet hours',
    quietHint:
      'No notifications in these hours, except for requests that expire within an hour. What came meanwhile is on Today.',
    quietFrom: 'From',
    quietTo: 'Until',
    quietZone: (zone: string) => `In the time zone ${zone}.`,
    sent: 'Sent. It should appear now.',
    notSent: 'The notification was not sent. Turn notifications off and on again.',
    test: 'Send a test notification',
  },
  browser: {
    title: 'This browser',
    device: 'Device',
    gateway: 'Gateway',
    key: 'Key',
    keyAbout: 'Created and stored in this browser. It cannot be read out, and there is no cookie.',
    others: 'Others',
    allDevices: 'All devices and passkeys',
    signOut: 'Sign out of this browser…',
    signOutTitle: 'Sign out of this browser?',
    signOutAbout:
      'Its key and its stored data are deleted here. It must be paired again before you can use it.',
    stay: 'Stay signed in',
    leave: 'Sign out',
    stillListed:
      'The gateway still lists the key until it is revoked. If this computer is no longer yours, revoke it on another device instead:',
    name: 'Name',
    nameHint: 'The name appears in receipts: “approved on …”.',
    rename: 'Rename',
    renamed: (name: string, ledger: number) => `Renamed to “${name}”. Ledger #${ledger}.`,
  },
})
