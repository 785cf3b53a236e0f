/** The ways to look at what is to be reached: goals as a list, as a board, and plans. Adds to what is looked at. */
import { Plus } from 'lucide-react'
import { Button, classes, PlainLink } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'

const views = [
  { id: 'list', to: '/goals', label: words.title },
  { id: 'board', to: '/goals?view=board', label: words.board },
  { id: 'plans', to: '/goals/plans', label: words.plans },
] as const

export function GoalTabs({
  current,
  onAdd,
}: {
  current: (typeof views)[number]['id']
  onAdd?: (() => void) | undefined
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
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
      {onAdd === undefined ? null : (
        <Button size="small" icon={Plus} keys="n" onClick={onAdd} className="whitespace-nowrap">
          {words.actions.add}
        </Button>
      )}
    </div>
  )
}
