import type { ToolDefinition } from '../definition.ts'
import { searchAgentHistory } from './search-agent-history.ts'

export const historyTools: readonly ToolDefinition[] = [searchAgentHistory]
