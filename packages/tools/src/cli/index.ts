import type { ToolDefinition } from '../definition.ts'
import { installCliTool } from './install-cli-tool.ts'
import { listCliTools } from './list-cli-tools.ts'
import { runCliTool } from './run-cli-tool.ts'

export const cliTools: readonly ToolDefinition[] = [runCliTool, listCliTools, installCliTool]
