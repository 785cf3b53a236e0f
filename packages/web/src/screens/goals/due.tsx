/** When a goal is due, said wherever the goal is. */
import type { GoalView } from '@countersign/contract'
import { Chip, useNow } from '../../kit/index.ts'
import { dueWords } from '../../language/format.ts'
import { words } from '../../words/goals.tsx'

export function Due({ goal: { due, overdue } }: { goal: Pick<GoalView, 'due' | 'overdue'> }) {
  const now = useNow()
  if (due === undefined) return null
  const day = dueWords(due, now)
  return overdue ? <Chip tone="bad">{words.overdue(day)}</Chip> : <span>{words.due(day)}</span>
}
