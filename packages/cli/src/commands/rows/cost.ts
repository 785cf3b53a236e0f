/** The rows of `countersign cost`. */
import { type CommandRow, type OptionRow, optional } from '../../command-row.ts'

export const costSummary = 'costs and budgets'

const time: readonly OptionRow[] = [
  { flags: '--from <date>', summary: 'first day, such as 2026-08-01' },
  { flags: '--to <date>', summary: 'last day, inclusive' },
]
const spans: readonly OptionRow[] = [
  { flags: '--today', summary: 'only today' },
  { flags: '--week', summary: 'this week, from Monday' },
  { flags: '--month', summary: 'this month (default)' },
  ...time,
]

export const costRows: readonly CommandRow[] = [
  {
    name: 'cost show',
    summary: 'show costs: today, this month, unattended and per outcome',
    arguments: [],
    options: [
      {
        flags: '--by <what>',
        summary: 'group by model, provider, purpose, agent, goal, schedule, session, run, day or hour',
      },
      ...spans,
    ],
    examples: ['countersign cost show', 'countersign cost show --by day --week'],
    load: async () => (await import('../cost.ts')).show,
  },
  {
    name: 'cost top',
    summary: 'list the most expensive runs, and why',
    arguments: [],
    options: [{ flags: '--limit <count>', summary: 'maximum number of rows (default: 10)' }, ...spans],
    examples: ['countersign cost top --week'],
    load: async () => (await import('../cost.ts')).top,
  },
  {
    name: 'cost idle',
    summary: 'show what was spent more than a day after your last message',
    arguments: [],
    options: [...spans],
    examples: ['countersign cost idle'],
    load: async () => (await import('../cost.ts')).idle,
  },
  {
    name: 'cost budget',
    summary: 'list, set or remove budgets',
    arguments: [
      {
        name: 'action',
        summary: 'action (default: list)',
        required: false,
        choices: ['list', 'set', 'rm'],
      },
      optional('name', 'with set: scope, such as global or unattended; with rm: name of the budget'),
      optional('dollars', 'with set: limit in dollars'),
    ],
    options: [
      { flags: '--per <period>', summary: 'period: hour, day, week, month or ever (default: month)' },
      { flags: '--for <subject>', summary: 'id of one agent, goal, schedule, session or run' },
      { flags: '--soft', summary: 'only warn; do not stop calls' },
    ],
    examples: [
      'countersign cost budget',
      'countersign cost budget set global 20 --per month',
      'countersign cost budget set unattended 1 --per day',
      'countersign cost budget rm global:month',
    ],
    load: async () => (await import('../cost.ts')).budget,
  },
  {
    name: 'cost reconcile',
    summary:
      "compare recorded costs with the provider's bill; prompts for an admin key or reads it from stdin",
    arguments: [optional('provider', 'name of a provider (default: all)')],
    options: [...time],
    examples: [
      'pass show anthropic-admin | countersign cost reconcile anthropic --from 2026-07-01 --to 2026-07-31',
    ],
    load: async () => (await import('../cost.ts')).reconcile,
  },
  {
    name: 'cost resume',
    summary: 'resume unattended work after it was put on hold for high costs',
    arguments: [],
    options: [],
    examples: ['countersign cost resume'],
    load: async () => (await import('../cost.ts')).resume,
  },
]
