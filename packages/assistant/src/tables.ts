/** Owns the row types of the tables that the assistant keeps beside the records. */
import type { HistoryTables } from './history/tables.ts'
import type { RecallTables } from './memory/recall/tables.ts'
import type { OutboxTables } from './outbox/tables.ts'

export interface AssistantTables extends OutboxTables, HistoryTables, RecallTables {}
