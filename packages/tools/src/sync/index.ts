import type { ToolDefinition } from '../definition.ts'
import { fetchSyncedEntries } from './fetch-synced-entries.ts'
import { listSyncedEntries } from './list-synced-entries.ts'
import { pushSyncedEntries } from './push-synced-entries.ts'

export { withCalendarAccounts } from './account-argument.ts'
export { calendarMethod, syncedLabel } from './sync-effects.ts'
export * from './synced-entry.ts'

export const calendarSyncTools: readonly ToolDefinition[] = [
  listSyncedEntries,
  fetchSyncedEntries,
  pushSyncedEntries,
]
