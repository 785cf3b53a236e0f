import type { ToolDefinition } from '../definition.ts'
import { getTaskResult } from './get-task-result.ts'
import { listCodingAgents } from './list-coding-agents.ts'
import { listTaskResults } from './list-task-results.ts'
import { runCodingTask } from './run-coding-task.ts'

export const codingAgentTools: readonly ToolDefinition[] = [
  runCodingTask,
  listCodingAgents,
  getTaskResult,
  listTaskResults,
]
