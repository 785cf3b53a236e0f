/** Agents one by one, or in teams. */
import { classes, PlainLink } from '../../kit/index.ts'
import { words } from '../../words/agents.tsx'

const views = [
  { id: 'agents', to: '/agents', label: words.title },
  { id: 'teams', to: '/agents/teams', label: words.teams },
] as const

export function AgentTabs({ current }: { current: (typeof views)[number]['id'] }) {
  return (
    <nav aria-label={words.views} className="-ms-2 flex">
      {views.map(({ id, to, label }) => (
        <PlainLink
          key={id}
          to={to}
          {...(id === current ? { 'aria-current': 'page' as const } : {})}
          className={classes(
            'target inline-flex items-center rounded-1 px-2 py-1 text-small font-medium',
            id === current ? 'bg-act-soft text-act' : 'text-ink-2 hover:bg-ink/5',
          )}
        >
          {label}
        </PlainLink>
      ))}
    </nav>
  )
}
