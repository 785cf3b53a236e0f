/** The rows of `countersign task`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const taskSummary = 'work that agents do in the background'

const task: ArgumentRow = { name: 'task', summary: 'the id of a task', required: true }

export const taskRows: readonly CommandRow[] = [
  {
    name: 'task list',
    summary: 'list tasks of agents, the newest first',
    arguments: [],
    options: [
      { flags: '--status <status>', summary: 'only active, completed, paused, cancelled or failed ones' },
      { flags: '--goal <goal>', summary: 'only of this goal, by its id' },
    ],
    examples: ['countersign task list', 'countersign task list --status paused'],
    load: async () => (await import('../task.ts')).list,
  },
  {
    name: 'task show',
    summary: 'show a task with its instructions and its result',
    arguments: [task],
    options: [],
    examples: ['countersign task show atask_0198…'],
    load: async () => (await import('../task.ts')).show,
  },
  {
    name: 'task retry',
    summary: 'let the agent try again now',
    arguments: [task],
    options: [],
    examples: ['countersign task retry atask_0198…'],
    load: async () => (await import('../task.ts')).retry,
  },
  {
    name: 'task cancel',
    summary: 'stop the work on a task; what it did stays done',
    arguments: [task],
    options: [],
    examples: ['countersign task cancel atask_0198…'],
    load: async () => (await import('../task.ts')).cancel,
  },
]
