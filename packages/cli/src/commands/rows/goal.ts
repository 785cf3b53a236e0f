/** The rows of `countersign goal`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const goalSummary = 'goals, with steps, notes and limits'

const goal: ArgumentRow = {
  name: 'goal',
  summary: 'id or title of a goal',
  required: true,
  id: 'goal',
  orName: true,
}

const settings: readonly OptionRow[] = [
  { flags: '--brief <text>', summary: 'what to achieve, and how' },
  { flags: '--parent <goal>', summary: 'parent goal, or none', id: 'goal', orName: true },
  { flags: '--priority <number>', summary: 'priority from 1 to 10, 10 is most urgent (default: 5)' },
  { flags: '--due <date>', summary: 'due date, such as 2026-08-31, or none' },
  {
    flags: '--check-in <duration>',
    summary: 'have its agent look at it after so long, such as 24h, or none',
  },
]

const limits: readonly OptionRow[] = [
  { flags: '--tools <names>', summary: 'allowed tools, such as read_file,group:notes, or any' },
  { flags: '--hosts <names>', summary: 'allowed hosts, separated by commas, or none or any' },
  { flags: '--folders <paths>', summary: 'allowed folders of the workspace, separated by commas, or any' },
  { flags: '--money <dollars>', summary: 'cost limit in dollars a day, or any' },
  { flags: '--tier-max <tier>', summary: 'highest tier allowed, from 0 to 4, or any' },
  {
    flags: '--quiet-hours <hours>',
    summary: 'hours without unattended work, such as 22:00-07:00, or none',
  },
]

export const goalRows: readonly CommandRow[] = [
  {
    name: 'goal list',
    summary: 'list open goals, most urgent first',
    arguments: [],
    options: [
      {
        flags: '--status <status>',
        summary: 'status: active, waiting, paused, completed, abandoned or archived',
      },
      { flags: '--all', summary: 'include ended goals' },
    ],
    examples: ['countersign goal list', 'countersign goal list --all --json'],
    load: async () => (await import('../goal.ts')).list,
  },
  {
    name: 'goal board',
    summary: 'show goals grouped by status',
    arguments: [],
    options: [],
    examples: ['countersign goal board'],
    load: async () => (await import('../goal.ts')).board,
  },
  {
    name: 'goal add',
    summary: 'add a goal',
    arguments: [{ name: 'title', summary: 'what to achieve, in one line', required: true }],
    options: [...settings, ...limits],
    examples: [
      'countersign goal add "Learn Danish" --due 2026-12-31 --priority 7',
      'countersign goal add "Bookkeeping" --tools group:filesystem,group:notes --folders books --tier-max 1 --money 0.50',
    ],
    load: async () => (await import('../goal.ts')).add,
  },
  {
    name: 'goal show',
    summary: 'show a goal with its steps, tasks, notes and limits',
    arguments: [goal],
    options: [],
    examples: ['countersign goal show goal_0198…', 'countersign goal show "Learn Danish"'],
    load: async () => (await import('../goal.ts')).show,
  },
  {
    name: 'goal set',
    summary: 'change a goal, its limits, its steps or its notes',
    arguments: [goal],
    options: [
      { flags: '--title <text>', summary: 'name' },
      ...settings,
      { flags: '--status <status>', summary: 'active, waiting, paused, completed, abandoned or archived' },
      { flags: '--progress <percent>', summary: 'progress from 0 to 100' },
      ...limits,
      { flags: '--note <text>', summary: 'add a note' },
      { flags: '--learning <text>', summary: 'add a learning for later work' },
      {
        flags: '--edit-note <note>',
        summary: 'put the text of --note in the place of a note, by id or number',
      },
      {
        flags: '--edit-learning <learning>',
        summary: 'put the text of --learning in the place of a learning, by id or number',
      },
      { flags: '--step <text>', summary: 'add a step at the end' },
      { flags: '--step-done <step>', summary: 'mark a step as done, by id or number' },
      { flags: '--remove-step <step>', summary: 'remove a step, by id or number' },
      { flags: '--remove-note <note>', summary: 'remove a note, by id or number' },
      { flags: '--remove-learning <learning>', summary: 'remove a learning, by id or number' },
    ],
    examples: [
      'countersign goal set goal_0198… --priority 9 --due 2026-09-30',
      'countersign goal set "Bookkeeping" --hosts api.bank.example --quiet-hours 22:00-07:00',
      'countersign goal set "Learn Danish" --step "Find a teacher"',
      'countersign goal set "Learn Danish" --check-in 24h',
      'countersign goal set "Learn Danish" --edit-learning 1 --learning "Closed on Mondays."',
    ],
    load: async () => (await import('../goal.ts')).set,
  },
  {
    name: 'goal pause',
    summary: 'pause a goal and its subgoals',
    arguments: [goal],
    options: [],
    examples: ['countersign goal pause "Learn Danish"'],
    load: async () => (await import('../goal.ts')).pause,
  },
  {
    name: 'goal resume',
    summary: 'resume a goal',
    arguments: [goal],
    options: [],
    examples: ['countersign goal resume "Learn Danish"'],
    load: async () => (await import('../goal.ts')).resume,
  },
  {
    name: 'goal done',
    summary: 'complete a goal',
    arguments: [goal],
    options: [],
    examples: ['countersign goal done "Learn Danish"'],
    load: async () => (await import('../goal.ts')).complete,
  },
  {
    name: 'goal rm',
    summary: 'remove a goal with its steps and notes',
    arguments: [goal],
    options: [{ flags: '--yes', summary: 'skip the confirmation' }],
    examples: ['countersign goal rm goal_0198… --yes'],
    load: async () => (await import('../goal.ts')).remove,
  },
]
