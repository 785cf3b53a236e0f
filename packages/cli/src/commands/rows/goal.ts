/** The rows of `countersign goal`. */
import type { ArgumentRow, CommandRow, OptionRow } from '../../command-row.ts'

export const goalSummary = 'what you want to reach, and how far work for it may go'

const goal: ArgumentRow = { name: 'goal', summary: 'the id of a goal, or its title', required: true }

const settings: readonly OptionRow[] = [
  { flags: '--brief <text>', summary: 'what is to be reached, and how' },
  { flags: '--parent <goal>', summary: 'the goal that it stands under; none takes it to the top' },
  { flags: '--priority <number>', summary: 'from 1 to 10, the most urgent; 5 unless it says so' },
  { flags: '--due <date>', summary: 'until when, as 2026-08-31; none takes the date away' },
]

const limits: readonly OptionRow[] = [
  { flags: '--tools <names>', summary: 'only these tools, with commas: read_file, group:notes; any for all' },
  { flags: '--hosts <names>', summary: 'only these hosts, with commas; none for no host, any for all' },
  { flags: '--folders <paths>', summary: 'only these folders of the workspace, with commas; any for all' },
  { flags: '--money <dollars>', summary: 'dollars a day at most; any for no limit of its own' },
  { flags: '--tier-max <tier>', summary: 'no tier above this, from 0 to 4; any for no limit' },
  {
    flags: '--quiet-hours <hours>',
    summary: 'hours without unattended work, as 22:00-07:00; none for no such hours',
  },
]

export const goalRows: readonly CommandRow[] = [
  {
    name: 'goal list',
    summary: 'list goals that are open, the most urgent first',
    arguments: [],
    options: [
      {
        flags: '--status <status>',
        summary: 'only active, waiting, paused, completed, abandoned or archived ones',
      },
      { flags: '--all', summary: 'those that have ended too' },
    ],
    examples: ['countersign goal list', 'countersign goal list --all --json'],
    load: async () => (await import('../goal.ts')).list,
  },
  {
    name: 'goal board',
    summary: 'show goals by what they wait for',
    arguments: [],
    options: [],
    examples: ['countersign goal board'],
    load: async () => (await import('../goal.ts')).board,
  },
  {
    name: 'goal add',
    summary: 'add a goal',
    arguments: [{ name: 'title', summary: 'what is to be reached, in a line', required: true }],
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
      { flags: '--title <text>', summary: 'what it is called' },
      ...settings,
      { flags: '--status <status>', summary: 'active, waiting, paused, completed, abandoned or archived' },
      { flags: '--progress <percent>', summary: 'how far it is, from 0 to 100' },
      ...limits,
      { flags: '--note <text>', summary: 'write a note down with it' },
      { flags: '--learning <text>', summary: 'what later work on it should know' },
      { flags: '--step <text>', summary: 'add a step after the others' },
      { flags: '--step-done <step>', summary: 'mark a step as done, by its id or its number' },
    ],
    examples: [
      'countersign goal set goal_0198… --priority 9 --due 2026-09-30',
      'countersign goal set "Bookkeeping" --hosts api.bank.example --quiet-hours 22:00-07:00',
      'countersign goal set "Learn Danish" --step "Find a teacher"',
    ],
    load: async () => (await import('../goal.ts')).set,
  },
  {
    name: 'goal pause',
    summary: 'hold a goal and everything under it',
    arguments: [goal],
    options: [],
    examples: ['countersign goal pause "Learn Danish"'],
    load: async () => (await import('../goal.ts')).pause,
  },
  {
    name: 'goal resume',
    summary: 'let a goal go on',
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
    options: [{ flags: '--yes', summary: 'do not ask again here' }],
    examples: ['countersign goal rm goal_0198… --yes'],
    load: async () => (await import('../goal.ts')).remove,
  },
]
