/** Owns the links between the ways to look at the same things, each with an address of its own. */
import { classes } from './classes.ts'
import { PlainLink } from './link.tsx'

export interface ViewLink {
  readonly id: string
  readonly to: string
  readonly label: string
}

export function ViewLinks({
  label,
  views,
  current,
}: {
  label: string
  views: readonly ViewLink[]
  current: string
}) {
  return (
    <nav aria-label={label} className="-ms-2 flex flex-wrap">
      {views.map(({ id, to, label: name }) => (
        <PlainLink
          key={id}
          to={to}
          {...(id === current ? { 'aria-current': 'page' as const } : {})}
          className={classes(
            'target inline-flex items-center rounded-1 px-2 py-1 text-small font-medium',
            id === current ? 'bg-act-soft text-act' : 'text-ink-2 hover:bg-ink/5',
          )}
        >
          {name}
        </PlainLink>
      ))}
    </nav>
  )
}
