/** The Library screen: notes, tasks, the calendar, contacts, bookmarks, expenses and tables of the operator's own. */
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Calendar } from './calendar.tsx'
import { ExpenseSums } from './expense-sums.tsx'
import { kinds } from './kinds.ts'
import { Records } from './records.tsx'
import { Tables } from './tables.tsx'

export const screen: Screen = { component: LibraryScreen }

function LibraryScreen() {
  const [kind = 'notes'] = useRoute().parts
  if (kind === 'calendar') return <Calendar />
  if (kind === 'tables') return <Tables />
  if (kind === 'expenses') return <Records key={kind} kind={kinds.expenses} aside={<ExpenseSums />} />
  const shown = kind === 'tasks' || kind === 'contacts' || kind === 'bookmarks' ? kind : 'notes'
  return <Records key={shown} kind={kinds[shown]} />
}
