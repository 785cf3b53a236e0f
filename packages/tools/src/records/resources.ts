/** Owns what the HTTP resources of records are made of: the collections under their paths, and the rules of tables. */
import { bookmarks } from '../bookmarks/bookmarks.ts'
import { events } from '../calendar/events.ts'
import { contacts } from '../contacts/contacts.ts'
import { expenses } from '../finance/expenses.ts'
import { notes } from '../notes/notes.ts'
import { tasks } from '../tasks/tasks.ts'
import type { Collection } from './collection.ts'

export {
  changedRow,
  newRow,
  rowsQuery,
  rowTitle,
  takenIn,
} from '../data/row.ts'
export {
  type DataTable,
  findTable,
  mostTables,
  noTable,
  rowsOf,
  tableData,
  tableFrom,
  tableProblem,
  tablesCollection,
} from '../data/table.ts'
export { expenses } from '../finance/expenses.ts'
export { everyExpense, summaryOf as expenseSummaryOf } from '../finance/summary.ts'
export {
  type Collection,
  change as changedRecord,
  make as newRecordData,
  newId as newRecordId,
  queryOf as recordQuery,
  type RecordData,
  titleOf as recordTitle,
} from './collection.ts'

export const recordResources: readonly { readonly path: string; readonly collection: Collection }[] = [
  { path: 'tasks', collection: tasks },
  { path: 'bookmarks', collection: bookmarks },
  { path: 'notes', collection: notes },
  { path: 'calendar', collection: events },
  { path: 'contacts', collection: contacts },
  { path: 'expenses', collection: expenses },
]
