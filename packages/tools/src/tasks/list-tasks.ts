/** Lists tasks, the earliest due first. */
import { listTool } from '../records/list.ts'
import { tasks } from './tasks.ts'

export const listTasks = listTool(tasks, {
  name: 'list_tasks',
  description: 'List tasks, the earliest due first.',
  tags: [
    'todo',
    'to-do',
    'show',
    'find',
    'search',
    'pending',
    'open',
    'due',
    'overdue',
    'agenda',
    'have to do',
    'do today',
    'still to do',
    'left to do',
    'not finished',
    'finished',
    'unfinished',
    'high priority',
    'on my plate',
    'this week',
    'today',
    'weekday',
    'work on',
    'working on',
    'should i do',
    'next step',
  ],
})
