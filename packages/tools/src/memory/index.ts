import type { ToolDefinition } from '../definition.ts'
import { aboutOperator } from './about-operator.ts'
import { batchRemember } from './batch-remember.ts'
import { boostMemory } from './boost-memory.ts'
import { forget } from './forget.ts'
import { listMemories } from './list-memories.ts'
import { memoryStats } from './memory-stats.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'

export const memoryTools: readonly ToolDefinition[] = [
  aboutOperator,
  remember,
  batchRemember,
  recall,
  forget,
  listMemories,
  boostMemory,
  memoryStats,
]
