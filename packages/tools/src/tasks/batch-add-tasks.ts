/** Adds many tasks at once. */
import { batchAddTool } from '../records/add.ts'
import { tasks } from './tasks.ts'

export const batchAddTasks = batchAddTool(tasks, 'tasks', {
  name: 'batch_add_tasks',
  description: 'Add several tasks at once, 100 at most.',
  tags: [
    'todo',
    'to-do',
    'create',
    'many',
    'bulk',
    'import',
    'chores',
    'errands',
    'shopping list',
    'all of these',
    'each of these',
    'on my list',
    'several reminders',
  ],
})
