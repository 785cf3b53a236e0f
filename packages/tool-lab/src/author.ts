/**
 * What the author of a tool imports as `countersign/tools`: the definition, the schema language, the words of an end,
 * and the texts that people read on a card.
 */
export type {
  Effect,
  JsonObject,
  JsonValue,
  Preview,
  Resource,
  StoredRecord,
  ToolResult,
} from '@countersign/contract'
export { canonicalText } from '@countersign/contract'
export type {
  EffectsResult,
  ExecutorTool,
  Inspector,
  RecordTool,
  RecordToolContext,
  ToolCapabilities,
  ToolDefinition,
} from '@countersign/tools'
export {
  commandText,
  defineTool,
  failed,
  groups,
  nameText,
  pathText,
  recordUndo,
  succeeded,
} from '@countersign/tools'
export {
  callTool,
  type PluginContext,
  type PluginToolDefinition,
  pluginApi,
  pluginTool,
} from '@countersign/tools/plugin-api'
export { z } from 'zod'
export type { ToolExample } from './example.ts'
