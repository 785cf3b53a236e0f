/** Lists goals, the most urgent first. Without a filter it lists those that somebody still wants. */
import { GoalStatus, openGoalStates } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { tellingOf } from '../records/kept-label.ts'
import { recordLines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { reading, readsGoals } from './facts.ts'
import { allGoals, goalSummary } from './goal-lookup.ts'

export const listGoals = defineTool({
  ...reading,
  version: '2',
  runs: 'gateway',
  name: 'list_goals',
  description: 'List goals, the most urgent first. Without a status it lists those that are open.',
  input: z.strictObject({
    status: GoalStatus.exactOptional(),
    parentId: nameText(100).describe('Only goals directly under this one').exactOptional(),
    search: z.string().max(500).exactOptional(),
    limit: z.int().min(1).default(10),
  }),
  limit: { param: 'limit', max: 30, default: 10 },
  tags: ['objectives', 'aims', 'show', 'find', 'my goals', 'projects', 'working towards', 'progress'],
  describe: ({ status, search }) =>
    [
      'List goals',
      ...(status === undefined ? [] : [status]),
      ...(search ? [JSON.stringify(search)] : []),
    ].join(', '),
  preview: (args) => fieldsCard('List goals', { ...args }),
  effects: async () => readsGoals('goals'),
  async run({ status, parentId, search, limit }, context) {
    const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
    const found = (await allGoals(context)).filter(({ goal }) => {
      const text = `${goal.title} ${goal.description ?? ''}`.toLowerCase()
      return (
        (status === undefined ? openGoalStates.includes(goal.status) : goal.status === status) &&
        (parentId === undefined || goal.parentId === parentId) &&
        words.every((word) => text.includes(word))
      )
    })
    const shown = found.toSorted(urgency).slice(0, limit)
    const head = found.length === 0 ? 'No goals found.' : `${shown.length} of ${found.length} goals:`
    const rows = shown.map((each) => {
      const { id: _, ...data } = goalSummary(each)
      return { id: each.goal.id, data }
    })
    const text = shown.length === 0 ? head : `${head}\n${recordLines(rows, [], ['description'])}`
    return tellingOf(
      shown.map(({ goal }) => ({ label: goal.ownLabel })),
      succeeded(text, `Found ${found.length} goals`),
    )
  },
})

type Urgent = { readonly goal: { readonly priority: number; readonly due?: string; readonly id: string } }

/** The highest priority first, then the earliest due; what has no date comes last. */
export function urgency({ goal: left }: Urgent, { goal: right }: Urgent): number {
  if (left.priority !== right.priority) return right.priority - left.priority
  const [a, b] = [left.due ?? '~', right.due ?? '~']
  if (a !== b) return a < b ? -1 : 1
  return left.id < right.id ? -1 : 1
}
