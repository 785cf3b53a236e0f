/** The way from one kind of record to another. */
import { useRoute } from '../../environment/route.ts'
import { classes, PlainLink } from '../../kit/index.ts'
import { words } from '../../words/library.tsx'

const order = ['notes', 'tasks', 'calendar', 'contacts', 'bookmarks', 'tables'] as const

export function KindLinks({ current }: { current: (typeof order)[number] }) {
  const route = useRoute()
  return (
    <nav aria-label={words.title} className="flex flex-wrap gap-1">
      {order.map((kind) => (
        <PlainLink
          key={kind}
          to={route.href([kind])}
          {...(kind === current ? { 'aria-current': 'page' as const } : {})}
          className={classes(
            'target inline-flex items-center rounded-1 px-2 py-1 text-small no-underline',
            kind === current ? 'bg-act-soft font-medium text-act' : 'text-ink-2 hover:bg-ink/5',
          )}
        >
          {words.kinds[kind]}
        </PlainLink>
      ))}
    </nav>
  )
}
