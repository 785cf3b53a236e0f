import type { ToolDefinition } from '../definition.ts'
import { restoreRecords } from './restore-records.ts'

export const recordsTools: readonly ToolDefinition[] = [restoreRecords]
