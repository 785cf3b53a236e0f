/** The calls that read the operator's records. */
import type { ExpenseGroup } from '../api-expenses.ts'
import { recordRoutes } from '../routes/records.ts'
import type { Call } from './call.ts'

export interface PageAsked {
  readonly search?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface ExpensesAsked {
  /** Days, both inside. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly category?: string | undefined
  readonly currency?: string | undefined
  readonly payee?: string | undefined
}

export function recordCalls(call: Call) {
  return {
    tasks: (query: PageAsked = {}) => call(recordRoutes.tasks, { query }),
    bookmarks: (query: PageAsked = {}) => call(recordRoutes.bookmarks, { query }),
    notes: (query: PageAsked = {}) => call(recordRoutes.notes, { query }),
    calendarEvents: (query: PageAsked & { readonly from?: string; readonly to?: string } = {}) =>
      call(recordRoutes.events, { query }),
    contacts: (query: PageAsked = {}) => call(recordRoutes.contacts, { query }),
    expenses: (query: PageAsked & ExpensesAsked = {}) => call(recordRoutes.expenses, { query }),
    expenseSummary: (
      query: ExpensesAsked & {
        readonly by?: ExpenseGroup | undefined
        readonly search?: string | undefined
      } = {},
    ) => call(recordRoutes.expenseSummary, { query }),
    tables: () => call(recordRoutes.tables),
    tableRecords: (
      table: string,
      query: PageAsked & {
        readonly sortBy?: string | undefined
        readonly sortOrder?: 'asc' | 'desc' | undefined
      } = {},
    ) => call(recordRoutes.tableRecords, { params: { table }, query }),
  }
}
