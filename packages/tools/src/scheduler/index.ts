import type { ToolDefinition } from '../definition.ts'
import { createScheduledTask } from './create-scheduled-task.ts'
import { deleteScheduledTask } from './delete-scheduled-task.ts'
import { getTaskHistory } from './get-task-history.ts'
import { listScheduledTasks } from './list-scheduled-tasks.ts'
import { triggerTask } from './trigger-task.ts'
import { updateScheduledTask } from './update-scheduled-task.ts'

export const schedulerTools: readonly ToolDefinition[] = [
  createScheduledTask,
  listScheduledTasks,
  updateScheduledTask,
  deleteScheduledTask,
  getTaskHistory,
  triggerTask,
]
