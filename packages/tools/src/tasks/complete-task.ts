/** Marks a task as done. */
import { markTool } from '../records/change.ts'
import { tasks } from './tasks.ts'

export const completeTask = markTool(tasks, {
  name: 'complete_task',
  description: 'Mark a task as completed.',
  tags: [
    'todo',
    'done',
    'done with',
    'finish',
    'finished',
    'tick',
    'tick off',
    'check off',
    'cross off',
    'close',
    'mark as',
  ],
  idParam: 'taskId',
  changes: { status: 'completed' },
  verb: 'Complete',
  done: 'Completed',
})
