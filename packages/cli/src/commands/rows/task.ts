/** The rows of `countersign task`. */
import type { ArgumentRow, CommandRow } from '../../command-row.ts'

export const taskSummary = 'work that agents do in the background'

const task: ArgumentRow = { name: 'task', summary: 'id of a task', required: true }

export const taskRows: readonly CommandRow[] = [
  {
    name: 'task list',
    summary: 'list agent tasks, newest first',
    arguments: [],
    options: [
      { flags: '--status <status>', summary: 'status: active, completed, paused, cancelled or failed' },
      { flags: '--goal <goal>', summary: 'only for the goal with this id', id: 'goal' },
    ],
    examples: ['countersign task list', 'countersign task list --status paused'],
    load: async () => (await import('../task.ts')).list,
  },
  {
    name: 'task show',
    summary: 'show a task with its instructions and result',
    arguments: [task],
    options: [],
    examples: ['countersign task show atask_0198…'],
    load: async () => (await import('../task.ts')).show,
  },
  {
    name: 'task retry',
    summary: 'retry a task now',
    arguments: [task],
    options: [],
    examples: ['countersign task retry atask_0198…'],
    load: async () => (await import('../task.ts')).retry,
  },
  {
    name: 'task cancel',
    summary: 'cancel a task; finished calls are not undone',
    arguments: [task],
    options: [],
    examples: ['countersign task cancel atask_0198…'],
    load: async () => (await import('../task.ts')).cancel,
  },
  {
    name: 'task inspect',
    summary:
      'look for runs, tasks and goals that are stuck now, as happens every five minutes, and mend them',
    arguments: [],
    options: [],
    examples: ['countersign task inspect', 'countersign task inspect --json'],
    load: async () => (await import('../task.ts')).inspect,
  },
]
