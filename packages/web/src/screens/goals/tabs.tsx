/** The ways to look at what is to be reached: goals as a list, as a board, and plans. Adds to what is looked at. */
import { Plus } from 'lucide-react'
import { Button, ViewLinks } from '../../kit/index.ts'
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
      <ViewLinks label={words.views} views={views} current={current} />
      {onAdd === undefined ? null : (
        <Button size="small" icon={Plus} keys="n" onClick={onAdd} className="whitespace-nowrap">
          {words.actions.add}
        </Button>
      )}
    </div>
  )
}
