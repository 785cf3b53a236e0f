/** The rows of `countersign approval`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const approvalSummary = 'calls that need your approval'

const code: ArgumentRow = {
  name: 'code',
  summary: 'short code of the card, or id of the approval',
  required: true,
}
const codes: ArgumentRow = { ...code, name: 'codes', summary: 'codes or ids of approvals', many: true }

export const approvalRows: readonly CommandRow[] = [
  {
    name: 'approval list',
    summary: 'list pending approvals',
    arguments: [],
    options: [
      {
        flags: '--state <state>',
        summary: 'state: pending, approved, denied, expired, withdrawn, superseded or all (default: pending)',
      },
      { flags: '--run <id>', summary: 'only from this run', id: 'run' },
    ],
    examples: ['countersign approval list', 'countersign approval list --state all --json'],
    load: async () => (await import('../approval.ts')).list,
  },
  {
    name: 'approval held',
    summary: 'list what was not done because nobody asked for it',
    arguments: [],
    options: [],
    examples: ['countersign approval held'],
    load: async () => (await import('../approval-held.ts')).held,
  },
  {
    name: 'approval let-ask',
    summary: 'let a held call ask for approval, as it was',
    arguments: [{ name: 'call', summary: 'call from `approval held`', required: true }],
    options: [],
    examples: ['countersign approval let-ask call_0198…'],
    load: async () => (await import('../approval-held.ts')).letAsk,
  },
  {
    name: 'approval dismiss',
    summary: 'put away a row of held calls; nothing of it is done',
    arguments: [{ name: 'row', summary: 'row from `approval held`', required: true }],
    options: [],
    examples: ['countersign approval dismiss un_0198…'],
    load: async () => (await import('../approval-held.ts')).dismiss,
  },
  {
    name: 'approval show',
    summary: 'show the full approval card',
    arguments: [code],
    options: [],
    examples: ['countersign approval show K7Q2'],
    load: async () => (await import('../approval.ts')).show,
  },
  {
    name: 'approval approve',
    summary: 'approve calls: once, for a while, or by a rule',
    arguments: [codes],
    options: [
      {
        flags: '--for <scope>',
        summary: 'also allow the same call again: run, session, or a time such as 30m',
      },
      { flags: '--rule <stop>', summary: 'also create a rule for this call, target, place or tool' },
      { flags: '--where <where>', summary: 'scope of the rule: goal, agent or everywhere (default: agent)' },
      { flags: '--untrusted', summary: 'let the rule hold after untrusted content was read' },
      { flags: '--days <count>', summary: 'days until the rule expires, or never (default: 30)' },
      { flags: '--max <count>', summary: 'maximum uses, with --for or --rule (default with --rule: any)' },
      { flags: '--step-up', summary: 'decide in the web app with your passkey, and wait here' },
      { flags: '--yes', summary: 'skip the confirmation' },
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
    summary: 'deny calls, with a reason for the agent',
    arguments: [codes],
    options: [
      { flags: '--reason <text>', summary: 'reason, or what the agent should do instead' },
      { flags: '--similar', summary: 'also deny similar calls of the same run' },
      {
        flags: '--always <what>',
        summary: 'write a rule that refuses such calls from now on: target, place or tool',
      },
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
    summary: 'replace the agent’s arguments; the call is evaluated again',
    arguments: [code],
    options: [
      { flags: '--set <name=value>', summary: 'set one argument; repeatable', repeats: true },
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
    summary: 'extend the deadline of a request, at most by a week',
    arguments: [code],
    options: [{ flags: '--hours <count>', summary: 'hours from now (default: 24)' }],
    examples: ['countersign approval extend K7Q2', 'countersign approval extend K7Q2 --hours 48'],
    load: async () => (await import('../approval-pending.ts')).extend,
  },
  {
    name: 'approval ask',
    summary: 'ask the agent about a request; it stays pending',
    arguments: [code, { name: 'question', summary: 'your question', required: true }],
    options: [],
    examples: ['countersign approval ask K7Q2 "Why this recipient?"'],
    load: async () => (await import('../approval-pending.ts')).ask,
  },
  {
    name: 'approval watch',
    summary: 'show pending approvals live',
    arguments: [],
    options: [],
    examples: ['countersign approval watch'],
    load: async () => (await import('../watch.ts')).watch,
  },
]
