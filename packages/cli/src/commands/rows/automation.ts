/** The rows of `countersign automation`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const automationSummary = 'work that starts on its own: at set times, on events, on webhooks'

const automation: ArgumentRow = { name: 'automation', summary: 'name or id of an automation', required: true }

const settings: readonly OptionRow[] = [
  { flags: '--cron <expression>', summary: 'cron expression with five fields, such as "0 8 * * 1-5"' },
  { flags: '--every <duration>', summary: 'repeat after this time, such as 15m or 2h' },
  { flags: '--at <time>', summary: 'run once, such as "tomorrow at 9:00" or 2026-03-31T14:00' },
  {
    flags: '--on <event>',
    summary:
      'event: message:<words>, ledger:<type>, file:<path in the workspace>, webhook:<secret> or mail:<account>[/<folder>]',
  },
  {
    flags: '--from <address>',
    summary: 'with mail: only from this address or @domain, if the sender is proven',
  },
  { flags: '--subject <words>', summary: 'with mail: only with these words in the subject' },
  { flags: '--check-every <duration>', summary: 'with mail: how often to look (default: 5m)' },
  { flags: '--zone <zone>', summary: 'time zone, such as Europe/Zagreb' },
  { flags: '--agent <id>', summary: 'agent that does the work (default: assistant)' },
  { flags: '--goal <id>', summary: 'goal it works for', id: 'goal' },
  { flags: '--plan <id>', summary: 'run this plan instead of a prompt' },
  { flags: '--success <words>', summary: 'success criterion' },
  { flags: '--max-cost <dollars>', summary: 'cost limit of one run in dollars (default: 1)' },
  { flags: '--tier-max <tier>', summary: 'highest tier allowed, 0 to 4 (default: 3)' },
  {
    flags: '--missed <policy>',
    summary: 'runs missed while the gateway was off: skip, once, all or all:<most> (default: once)',
  },
  {
    flags: '--overlap <policy>',
    summary: 'if the last run is still active: skip, queue or parallel (default: skip)',
  },
  { flags: '--quiet-hours <hours>', summary: 'hours without runs, such as 22:00-07:00, or none' },
  {
    flags: '--on-failure <where>',
    summary: 'where to report failures: feed, a session id, or both with a comma (default: feed)',
  },
]

export const automationRows: readonly CommandRow[] = [
  {
    name: 'automation list',
    summary: 'list automations with their next run and last outcome',
    arguments: [],
    options: [],
    examples: ['countersign automation list', 'countersign automation list --json'],
    load: async () => (await import('../automation.ts')).list,
  },
  {
    name: 'automation add',
    summary: 'create an automation from a sentence, and show how it was understood',
    arguments: [{ name: 'sentence', summary: 'when to run, and what to do', required: true }],
    options: [
      { flags: '--name <name>', summary: 'name' },
      ...settings,
      { flags: '--dry-run', summary: 'show the result without saving it' },
    ],
    examples: [
      'countersign automation add "every weekday 8:00 send me a brief" --max-cost 0.05 --tier-max 1',
      'countersign automation add "read the new scan" --on file:inbox/scan.pdf',
      'countersign automation add "triage the issue" --on webhook:github --name triage',
      'countersign automation add "note the due date" --on mail:work --from billing@example.org --subject invoice',
      'countersign automation add "in 20 minutes remind me of the tea" --dry-run',
    ],
    load: async () => (await import('../automation.ts')).add,
  },
  {
    name: 'automation show',
    summary: 'show an automation with all its settings',
    arguments: [automation],
    options: [],
    examples: ['countersign automation show brief'],
    load: async () => (await import('../automation.ts')).show,
  },
  {
    name: 'automation set',
    summary: 'change an automation; changed work is a new version, and grants of the old one end',
    arguments: [automation],
    options: [
      { flags: '--name <name>', summary: 'name' },
      { flags: '--prompt <text>', summary: 'what the agent is told on every run' },
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
    summary: 'run an automation once, now',
    arguments: [automation],
    options: [],
    examples: ['countersign automation run brief'],
    load: async () => (await import('../automation.ts')).run,
  },
  {
    name: 'automation look',
    summary: 'look for new e-mails now, for an automation that starts on them',
    arguments: [automation],
    options: [],
    examples: ['countersign automation look invoices'],
    load: async () => (await import('../automation.ts')).look,
  },
  {
    name: 'automation pause',
    summary: 'pause one or all automations; skipped runs are recorded',
    arguments: [{ ...automation, required: false }],
    options: [{ flags: '--all', summary: 'all automations' }],
    examples: ['countersign automation pause brief', 'countersign automation pause --all'],
    load: async () => (await import('../automation.ts')).pause,
  },
  {
    name: 'automation resume',
    summary: 'resume one or all automations',
    arguments: [{ ...automation, required: false }],
    options: [{ flags: '--all', summary: 'all automations' }],
    examples: ['countersign automation resume brief'],
    load: async () => (await import('../automation.ts')).resume,
  },
  {
    name: 'automation history',
    summary: 'list past runs and their outcomes',
    arguments: [automation],
    options: [{ flags: '--limit <count>', summary: 'maximum number of rows (default: 20)' }],
    examples: [
      'countersign automation history brief',
      'countersign automation history brief --limit 100 --json',
    ],
    load: async () => (await import('../automation.ts')).history,
  },
  {
    name: 'automation why-not',
    summary: 'explain why an automation did not run on a day',
    arguments: [automation],
    options: [
      { flags: '--date <date>', summary: 'today, yesterday or a date such as 2026-03-31 (default: today)' },
    ],
    examples: ['countersign automation why-not brief --date yesterday'],
    load: async () => (await import('../automation.ts')).whyNot,
  },
  {
    name: 'automation rm',
    summary: 'remove an automation; its history stays',
    arguments: [automation],
    options: [],
    examples: ['countersign automation rm brief'],
    load: async () => (await import('../automation.ts')).remove,
  },
]
