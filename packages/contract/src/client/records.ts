/** The calls that read the operator's records. */
import type { ExpenseGroup } from '../api-expenses.ts'
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

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/records.ts')).recordRoutes

export function recordCalls(call: Call) {
  return {
    tasks: async (query: PageAsked = {}) => call((await routes()).tasks, { query }),
    bookmarks: async (query: PageAsked = {}) => call((await routes()).bookmarks, { query }),
    notes: async (query: PageAsked = {}) => call((await routes()).notes, { query }),
    calendarEvents: async (query: PageAsked & { readonly from?: string; readonly to?: string } = {}) =>
      call((await routes()).events, { query }),
    contacts: async (query: PageAsked = {}) => call((await routes()).contacts, { query }),
    expenses: async (query: PageAsked & ExpensesAsked = {}) => call((await routes()).expenses, { query }),
    expenseSummary: async (
      query: ExpensesAsked & {
        readonly by?: ExpenseGroup | undefined
        readonly search?: string | undefined
      } = {},
    ) => call((await routes()).expenseSummary, { query }),
    tables: async () => call((await routes()).tables),
    tableRecords: async (
      table: string,
      query: PageAsked & {
        readonly sortBy?: string | undefined
        readonly sortOrder?: 'asc' | 'desc' | undefined
      } = {},
    ) => call((await routes()).tableRecords, { params: { table }, query }),
  }
}
