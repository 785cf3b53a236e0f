/** The rows of `countersign automation`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const automationSummary = 'what runs by itself: at set times, on events, on webhooks'

const automation: ArgumentRow = { name: 'automation', summary: 'its name or its id', required: true }

const settings: readonly OptionRow[] = [
  { flags: '--cron <expression>', summary: 'five fields, as "0 8 * * 1-5"' },
  { flags: '--every <duration>', summary: 'again and again, as 15m or 2h' },
  { flags: '--at <time>', summary: 'once, as "tomorrow at 9:00" or 2026-03-31T14:00' },
  {
    flags: '--on <event>',
    summary: 'message:<words>, ledger:<type>, file:<path in the workspace> or webhook:<secret>',
  },
  { flags: '--zone <zone>', summary: 'the time zone, as Europe/Zagreb' },
  { flags: '--agent <id>', summary: 'who does it; assistant' },
  { flags: '--goal <id>', summary: 'the goal that it works for' },
  { flags: '--plan <id>', summary: 'carry out this plan instead of a prompt' },
  { flags: '--success <words>', summary: 'what counts as done' },
  { flags: '--max-cost <dollars>', summary: 'what one run may cost; 1' },
  { flags: '--tier-max <tier>', summary: 'nothing above this tier, 0 to 4; 3' },
  {
    flags: '--missed <policy>',
    summary: 'times that passed while it was off: skip, once, all or all:<most>; once',
  },
  { flags: '--overlap <policy>', summary: 'while the last run has not ended: skip, queue or parallel; skip' },
  { flags: '--quiet-hours <hours>', summary: 'not between, as 22:00-07:00; none takes them away' },
  { flags: '--on-failure <where>', summary: 'feed, a session, or both with a comma; feed' },
]

export const automationRows: readonly CommandRow[] = [
  {
    name: 'automation list',
    summary: 'list automations with their next times and last outcomes',
    arguments: [],
    options: [],
    examples: ['countersign automation list', 'countersign automation list --json'],
    load: async () => (await import('../automation.ts')).list,
  },
  {
    name: 'automation add',
    summary: 'make one from a sentence; what was understood is shown back',
    arguments: [{ name: 'sentence', summary: 'when, and what to do', required: true }],
    options: [
      { flags: '--name <name>', summary: 'what it is called' },
      ...settings,
      { flags: '--dry-run', summary: 'show what would be made, and keep nothing' },
    ],
    examples: [
      'countersign automation add "every weekday 8:00 send me a brief" --max-cost 0.05 --tier-max 1',
      'countersign automation add "read the new scan" --on file:inbox/scan.pdf',
      'countersign automation add "triage the issue" --on webhook:github --name triage',
      'countersign automation add "in 20 minutes remind me of the tea" --dry-run',
    ],
    load: async () => (await import('../automation.ts')).add,
  },
  {
    name: 'automation show',
    summary: 'show one with everything that was set',
    arguments: [automation],
    options: [],
    examples: ['countersign automation show brief'],
    load: async () => (await import('../automation.ts')).show,
  },
  {
    name: 'automation set',
    summary: 'change one; other work is a new version, and what was granted to the old is void',
    arguments: [automation],
    options: [
      { flags: '--name <name>', summary: 'what it is called' },
      { flags: '--prompt <text>', summary: 'what the agent is told each time' },
      ...settings,
    ],
    examples: [
      'countersign automation set brief --cron "30 7 * * 1-5" --zone Europe/Zagreb',
      'countersign automation set brief --missed skip --on-failure feed',
    ],
    load: async () => (await import('../automation.ts')).set,
  },
  {
    name: 'automation run',
    summary: 'set one off now, once',
    arguments: [automation],
    options: [],
    examples: ['countersign automation run brief'],
    load: async () => (await import('../automation.ts')).run,
  },
  {
    name: 'automation pause',
    summary: 'pause one, or all of them; what falls into the pause is written down',
    arguments: [{ ...automation, required: false }],
    options: [{ flags: '--all', summary: 'every automation' }],
    examples: ['countersign automation pause brief', 'countersign automation pause --all'],
    load: async () => (await import('../automation.ts')).pause,
  },
  {
    name: 'automation resume',
    summary: 'let one go on, or all of them',
    arguments: [{ ...automation, required: false }],
    options: [{ flags: '--all', summary: 'every automation' }],
    examples: ['countersign automation resume brief'],
    load: async () => (await import('../automation.ts')).resume,
  },
  {
    name: 'automation history',
    summary: 'list what it was due for and what became of it',
    arguments: [automation],
    options: [{ flags: '--limit <count>', summary: 'how many; 20' }],
    examples: [
      'countersign automation history brief',
      'countersign automation history brief --limit 100 --json',
    ],
    load: async () => (await import('../automation.ts')).history,
  },
  {
    name: 'automation why-not',
    summary: 'say why it did not run on a day',
    arguments: [automation],
    options: [{ flags: '--date <date>', summary: 'today, yesterday or 2026-03-31; today' }],
    examples: ['countersign automation why-not brief --date yesterday'],
    load: async () => (await import('../automation.ts')).whyNot,
  },
  {
    name: 'automation rm',
    summary: 'remove one; its history stays',
    arguments: [automation],
    options: [],
    examples: ['countersign automation rm brief'],
    load: async () => (await import('../automation.ts')).remove,
  },
]
