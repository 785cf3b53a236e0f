import type { ToolDefinition } from '../definition.ts'
import { createTool } from './create-tool.ts'
import { deleteCustomTool } from './delete-custom-tool.ts'
import { listCustomTools } from './list-custom-tools.ts'
import { restoreCustomTool } from './restore-custom-tool.ts'
import { runCustomTool } from './run-custom-tool.ts'
import { toggleCustomTool } from './toggle-custom-tool.ts'

export { customToolsCollection } from './custom-tool.ts'
export { customToolFacts } from './facts.ts'

export const customTools: readonly ToolDefinition[] = [
  createTool,
  listCustomTools,
  deleteCustomTool,
  toggleCustomTool,
  restoreCustomTool,
  runCustomTool,
]
