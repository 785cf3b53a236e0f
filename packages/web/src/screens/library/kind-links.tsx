/** The way from one kind of record to another. */
import { useRoute } from '../../environment/route.ts'
import { ViewLinks } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'

const order = ['notes', 'tasks', 'calendar', 'contacts', 'bookmarks', 'expenses', 'tables'] as const

export function KindLinks({ current }: { current: (typeof order)[number] }) {
  const route = useRoute()
  return (
    <ViewLinks
      label={words.title}
      current={current}
      views={order.map((kind) => ({ id: kind, to: route.href([kind]), label: words.kinds[kind] }))}
    />
  )
}
