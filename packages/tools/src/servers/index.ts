import type { ToolDefinition } from '../definition.ts'
import { acceptServerTools } from './accept-server-tools.ts'
import { addPlugin } from './add-plugin.ts'
import { addServer } from './add-server.ts'
import { callServerTool } from './call-server-tool.ts'
import { lookAtServer } from './look-at-server.ts'
import { pinServer } from './pin-server.ts'
import { readPluginFile } from './read-plugin-file.ts'
import { removeServer } from './remove-server.ts'
import { reviewPlugin } from './review-plugin.ts'
import { switchServer } from './switch-server.ts'

export * from './facts.ts'
export * from './launch-words.ts'
export { effectOfTier } from './server-effects.ts'
export * from './server-tool.ts'

export const serverTools: readonly ToolDefinition[] = [
  addServer,
  lookAtServer,
  acceptServerTools,
  switchServer,
  pinServer,
  removeServer,
  callServerTool,
  addPlugin,
  readPluginFile,
  reviewPlugin,
]
