/** Deletes a task; an undo brings it back. */
import { deleteTool } from '../records/change.ts'
import { tasks } from './tasks.ts'

export const deleteTask = deleteTool(tasks, {
  name: 'delete_task',
  description: 'Delete a task.',
  tags: [
    'todo',
    'to-do',
    'remove',
    'erase',
    'cancel',
    'drop',
    'take off',
    'off my list',
    'get rid',
    'no longer',
    'need any more',
    "don't have to",
    'after all',
  ],
  idParam: 'taskId',
})
