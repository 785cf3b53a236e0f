import type { ToolDefinition } from '../definition.ts'
import { addTask } from './add-task.ts'
import { batchAddTasks } from './batch-add-tasks.ts'
import { completeTask } from './complete-task.ts'
import { deleteTask } from './delete-task.ts'
import { listTasks } from './list-tasks.ts'
import { updateTask } from './update-task.ts'

export { tasks } from './tasks.ts'

export const tasksTools: readonly ToolDefinition[] = [
  addTask,
  batchAddTasks,
  listTasks,
  completeTask,
  updateTask,
  deleteTask,
]
