/** Changes fields of a task. */
import { updateTool } from '../records/change.ts'
import { tasks } from './tasks.ts'

export const updateTask = updateTool(tasks, {
  name: 'update_task',
  description: 'Change fields of a task; null removes one.',
  tags: [
    'todo',
    'edit',
    'modify',
    'change',
    'reschedule',
    'postpone',
    'push',
    'push back',
    'move back',
    'delay',
    'deadline',
    'priority',
    'urgent',
    'status',
    'due date',
    'make urgent',
    'rename',
    'more time',
    'more days',
    'extend',
  ],
  idParam: 'taskId',
})
