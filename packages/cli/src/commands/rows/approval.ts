/** The rows of `countersign approval`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const approvalSummary = 'calls that wait for you'

const code: ArgumentRow = {
  name: 'code',
  summary: 'the short code on the card, or the id of the approval',
  required: true,
}
const codes: ArgumentRow = { ...code, name: 'codes', summary: 'exactly these, by code or id', many: true }

export const approvalRows: readonly CommandRow[] = [
  {
    name: 'approval list',
    summary: 'list what waits for you',
    arguments: [],
    options: [
      {
        flags: '--state <state>',
        summary: 'another state: approved, denied, expired, withdrawn, superseded, all',
      },
      { flags: '--run <id>', summary: 'only of this run' },
    ],
    examples: ['countersign approval list', 'countersign approval list --state all --json'],
    load: async () => (await import('../approval.ts')).list,
  },
  {
    name: 'approval show',
    summary: 'show the whole card of an approval',
    arguments: [code],
    options: [],
    examples: ['countersign approval show K7Q2'],
    load: async () => (await import('../approval.ts')).show,
  },
  {
    name: 'approval approve',
    summary: 'let calls run: once, for a while, or by a rule',
    arguments: [codes],
    options: [
      { flags: '--for <scope>', summary: 'also allow the same again: run, session, or a time such as 30m' },
      { flags: '--rule <stop>', summary: 'also make a rule, for this call, target, place or tool' },
      { flags: '--where <where>', summary: 'where the rule holds: goal, agent or everywhere; agent' },
      { flags: '--days <count>', summary: 'how long the rule holds, or never; 30' },
      { flags: '--max <count>', summary: 'how many times at most, with --for or --rule; any with --rule' },
      { flags: '--step-up', summary: 'decide it in the web app, with your passkey, and wait here' },
      { flags: '--yes', summary: 'do not ask again here' },
    ],
    examples: [
      'countersign approval approve K7Q2',
      'countersign approval approve K7Q2 M3XD 9RFA',
      'countersign approval approve K7Q2 --for run --max 3',
      'countersign approval approve K7Q2 --rule target --days 90',
      'countersign approval approve K7Q2 --step-up',
    ],
    load: async () => (await import('../approval-decide.ts')).approve,
  },
  {
    name: 'approval deny',
    summary: 'refuse calls, with a reason for the agent',
    arguments: [codes],
    options: [
      { flags: '--reason <text>', summary: 'what the agent should do instead' },
      { flags: '--similar', summary: 'also those of the same run that are like it' },
      { flags: '--stop', summary: 'also stop the run' },
    ],
    examples: [
      'countersign approval deny K7Q2 --reason "use the portal"',
      'countersign approval deny K7Q2 --similar --reason "one is enough"',
    ],
    load: async () => (await import('../approval-decide.ts')).deny,
  },
  {
    name: 'approval edit',
    summary: 'put your arguments in place of the agent’s; the call is judged anew',
    arguments: [code],
    options: [
      { flags: '--set <name=value>', summary: 'change one argument; may be repeated', repeats: true },
      { flags: '--args <json>', summary: 'all arguments as JSON, or @file' },
    ],
    examples: [
      'countersign approval edit K7Q2 --set subject="Invoice?" --set to=ana@kovac.example',
      'countersign approval edit K7Q2 --args @call.json --wait 1m',
    ],
    load: async () => (await import('../approval-edit.ts')).edit,
  },
  {
    name: 'approval extend',
    summary: 'let a request wait longer, a week at most',
    arguments: [code],
    options: [{ flags: '--hours <count>', summary: 'from now; 24' }],
    examples: ['countersign approval extend K7Q2', 'countersign approval extend K7Q2 --hours 48'],
    load: async () => (await import('../approval-pending.ts')).extend,
  },
  {
    name: 'approval ask',
    summary: 'ask the agent about a request, which goes on waiting',
    arguments: [code, { name: 'question', summary: 'what you want to know', required: true }],
    options: [],
    examples: ['countersign approval ask K7Q2 "Why this recipient?"'],
    load: async () => (await import('../approval-pending.ts')).ask,
  },
  {
    name: 'approval watch',
    summary: 'a live list of what waits for you',
    arguments: [],
    options: [],
    examples: ['countersign approval watch'],
    load: async () => (await import('../watch.ts')).watch,
  },
]
