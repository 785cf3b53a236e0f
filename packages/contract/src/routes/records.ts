/**
 * Owns the rows by which a screen reads the operator's records. The gateway makes these routes, and those that change a
 * record, of its collections; a screen changes one by a call of a tool, which can be undone.
 */
import { z } from 'zod'
import { ExpenseSummary } from '../api-expenses.ts'
import {
  Bookmark,
  CalendarEvent,
  Contact,
  Expense,
  Note,
  RecordList,
  recordList,
  TableView,
  Task,
} from '../api-records.ts'
import { define } from './define.ts'

const text = z.string().optional()
const page = { search: text, limit: text, offset: text }
const expenseFilters = {
  from: text,
  to: text,
  category: text,
  currency: text,
  payee: text,
  paymentMethod: text,
  tag: text,
}

export const recordRoutes = {
  tasks: define('get', '/v1/tasks', 'Lists tasks.', recordList(Task.loose()), {
    query: z.object({ status: text, priority: text, category: text, ...page }),
  }),
  bookmarks: define('get', '/v1/bookmarks', 'Lists bookmarks.', recordList(Bookmark.loose()), {
    query: z.object({ category: text, tag: text, isFavorite: text, ...page }),
  }),
  notes: define('get', '/v1/notes', 'Lists notes.', recordList(Note.loose()), {
    query: z.object({ category: text, tag: text, isPinned: text, ...page }),
  }),
  events: define('get', '/v1/calendar', 'Lists events.', recordList(CalendarEvent.loose()), {
    query: z.object({ from: text, to: text, category: text, ...page }),
  }),
  contacts: define('get', '/v1/contacts', 'Lists contacts.', recordList(Contact.loose()), {
    query: z.object({ relationship: text, company: text, isFavorite: text, ...page }),
  }),
  expenses: define('get', '/v1/expenses', 'Lists expenses.', recordList(Expense.loose()), {
    query: z.object({ ...expenseFilters, ...page }),
  }),
  expenseSummary: define('get', '/v1/expense-summary', 'What expenses come to.', ExpenseSummary, {
    query: z.object({ by: text, ...expenseFilters, search: text }),
  }),
  tables: define('get', '/v1/tables', 'The operator’s own tables.', z.array(TableView)),
  tableRecords: define(
    'get',
    '/v1/tables/{table}/records',
    'Records of a table. `filter` is a JSON object of columns and values.',
    RecordList,
    {
      params: z.object({ table: z.string() }),
      query: z.object({ filter: text, sortBy: text, sortOrder: text, ...page }),
    },
  ),
}
