import type { Task } from '../task.ts'
import { assistantTasks } from './assistant.ts'
import { fileTasks } from './files.ts'
import { mailTasks } from './mail.ts'
import { recordTasks } from './records.ts'
import { webTasks } from './web.ts'
import { webhookTasks } from './webhook.ts'

export const tasks: readonly Task[] = [
  ...mailTasks,
  ...webTasks,
  ...fileTasks,
  ...recordTasks,
  ...webhookTasks,
  ...assistantTasks,
]
