/** The rows of `countersign cost`. */
import { type CommandRow, type OptionRow, optional } from '../../command-row.ts'

export const costSummary = 'what was spent, on what, and the limits'

const time: readonly OptionRow[] = [
  { flags: '--from <date>', summary: 'from this day on, as 2026-08-01' },
  { flags: '--to <date>', summary: 'to the end of this day' },
]
const spans: readonly OptionRow[] = [
  { flags: '--today', summary: 'only today' },
  { flags: '--week', summary: 'since Monday' },
  { flags: '--month', summary: 'this month; so unless it says otherwise' },
  ...time,
]

export const costRows: readonly CommandRow[] = [
  {
    name: 'cost show',
    summary: 'show what was spent: today, this month, unattended, for each outcome',
    arguments: [],
    options: [
      {
        flags: '--by <what>',
        summary: 'model, provider, purpose, agent, goal, schedule, session, run, day or hour',
      },
      ...spans,
    ],
    examples: ['countersign cost show', 'countersign cost show --by day --week'],
    load: async () => (await import('../cost.ts')).show,
  },
  {
    name: 'cost top',
    summary: 'list the most expensive runs, and why they were',
    arguments: [],
    options: [{ flags: '--limit <count>', summary: 'how many; 10' }, ...spans],
    examples: ['countersign cost top --week'],
    load: async () => (await import('../cost.ts')).top,
  },
  {
    name: 'cost idle',
    summary: 'show what was spent while nobody had written for a day',
    arguments: [],
    options: [...spans],
    examples: ['countersign cost idle'],
    load: async () => (await import('../cost.ts')).idle,
  },
  {
    name: 'cost budget',
    summary: 'list the limits, set one, or remove one',
    arguments: [
      {
        name: 'action',
        summary: 'list unless it says so',
        required: false,
        choices: ['list', 'set', 'rm'],
      },
      optional('name', 'with set: what to limit, as global or unattended; with rm: the name of the limit'),
      optional('dollars', 'with set: how much at most'),
    ],
    options: [
      { flags: '--per <period>', summary: 'hour, day, week, month or ever; month' },
      { flags: '--for <subject>', summary: 'one agent, goal, schedule, session or run' },
      { flags: '--soft', summary: 'tell, and stop nothing' },
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
    summary: 'compare the books with the bill; an admin key is asked for or read from stdin',
    arguments: [optional('provider', 'one provider; all of them without it')],
    options: [...time],
    examples: [
      'pass show anthropic-admin | countersign cost reconcile anthropic --from 2026-07-01 --to 2026-07-31',
    ],
    load: async () => (await import('../cost.ts')).reconcile,
  },
  {
    name: 'cost resume',
    summary: 'let unattended work go on after it spent more than usual',
    arguments: [],
    options: [],
    examples: ['countersign cost resume'],
    load: async () => (await import('../cost.ts')).resume,
  },
]
