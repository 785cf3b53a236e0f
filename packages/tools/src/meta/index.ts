import type { ToolDefinition } from '../definition.ts'
import { batchUseTool } from './batch-use-tool.ts'
import { getToolHelp } from './get-tool-help.ts'
import { searchTools } from './search-tools.ts'
import { useTool } from './use-tool.ts'

export const metaTools: readonly ToolDefinition[] = [searchTools, getToolHelp, useTool, batchUseTool]
