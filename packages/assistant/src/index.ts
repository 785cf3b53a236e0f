export type { Address } from './addressee.ts'
export { createAgents } from './agents/agents.ts'
export { receptionId } from './agents/builtin.ts'
export {
  type Assistant,
  type AssistantOptions,
  assistantMigrations,
  createAssistant,
  type KernelPorts,
} from './assistant.ts'
export type { AssistantContext, AssistantTransaction, PostMessage } from './assistant-context.ts'
export {
  calendarAccountsCollection,
  calendarAccountsIn,
  mostCalendarAccounts,
} from './calendar-sync/index.ts'
export type { ContentSearch, FileVersion, WorkspaceText, WorkspaceTexts } from './content/index.ts'
export { createProfiles } from './context/profile.ts'
export { thresholds } from './health/thresholds.ts'
export * from './history/index.ts'
export * from './memory/index.ts'
export { ownTables } from './own-tables.ts'
export * from './plans/index.ts'
export { oldOccurrences } from './schedules/old-occurrences.ts'
export { createWorkspaceWatcher } from './schedules/workspace-watcher.ts'
