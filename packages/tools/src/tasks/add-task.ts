/** Adds one task. */
import { addTool } from '../records/add.ts'
import { tasks } from './tasks.ts'

export const addTask = addTool(tasks, {
  name: 'add_task',
  description: 'Add a task to the to-do list.',
  tags: [
    'todo',
    'to-do',
    'create',
    'new',
    'remind',
    'remind me',
    'reminder',
    'remember to',
    'forget to',
    'need to',
    'have to',
    'errand',
    'chore',
    'on my list',
    'buy',
    'pick up',
    'weekday',
    'tomorrow',
    'priority',
    'not forget',
    "don't forget",
    'something to do',
    'i should',
  ],
})
