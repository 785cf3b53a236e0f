/** The calls that read the operator's records. */
import { recordRoutes } from '../routes/records.ts'
import type { Call } from './call.ts'

interface RecordPage {
  readonly search?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function recordCalls(call: Call) {
  return {
    tasks: (query: RecordPage = {}) => call(recordRoutes.tasks, { query }),
    bookmarks: (query: RecordPage = {}) => call(recordRoutes.bookmarks, { query }),
    notes: (query: RecordPage = {}) => call(recordRoutes.notes, { query }),
    calendarEvents: (query: RecordPage & { readonly from?: string; readonly to?: string } = {}) =>
      call(recordRoutes.events, { query }),
    contacts: (query: RecordPage = {}) => call(recordRoutes.contacts, { query }),
    tables: () => call(recordRoutes.tables),
    tableRecords: (
      table: string,
      query: RecordPage & {
        readonly sortBy?: string | undefined
        readonly sortOrder?: 'asc' | 'desc' | undefined
      } = {},
    ) => call(recordRoutes.tableRecords, { params: { table }, query }),
  }
}
