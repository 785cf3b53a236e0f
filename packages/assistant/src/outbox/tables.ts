import type { InboundMessage } from '@countersign/kernel'
import type { ColumnType } from 'kysely'

export interface OutboxTables {
  outbox: {
    operator_id: string
    key: string
    message: ColumnType<InboundMessage, string, never>
    at: Date
  }
}
