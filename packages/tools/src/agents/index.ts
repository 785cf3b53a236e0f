import type { ToolDefinition } from '../definition.ts'
import { cancelAgentTask } from './cancel-agent-task.ts'
import { getAgentTask } from './get-agent-task.ts'
import { listAgentTasks } from './list-agent-tasks.ts'
import { restartAgentTask } from './restart-agent-task.ts'
import { startAgentTask } from './start-agent-task.ts'

export const agentsTools: readonly ToolDefinition[] = [
  startAgentTask,
  listAgentTasks,
  getAgentTask,
  cancelAgentTask,
  restartAgentTask,
]
