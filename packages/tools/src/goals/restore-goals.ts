/**
 * Takes a change of goals back, with the holds that followed from it. Refuses to leave goals or steps without the goal
 * that they stand under. Not offered to models.
 */
import { changedHolds, type JsonObject } from '@countersign/contract'
import { defineTool, type EffectsResult } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { restoreRecords } from '../records/restore-records.ts'
import { failed } from '../result.ts'
import { restoringGoals } from './facts.ts'
import { allGoals, goalsCollection, nodesOf, stepsCollection } from './goal-lookup.ts'

if (restoreRecords.runs !== 'gateway') throw new TypeError('Records are put back in the gateway.')
const records = restoreRecords

export const restoreGoals = defineTool<JsonObject>({
  ...records,
  runs: 'gateway',
  name: restoringGoals,
  version: '1',
  description: 'Put earlier states of goals back.',
  category: 'goals',
  group: 'goals',
  undo: restoringGoals,
  async effects(args, context): Promise<EffectsResult> {
    const problem = await strandedBy(args, context)
    return problem === undefined ? records.effects(args, context) : { kind: 'invalid', reason: problem }
  },
  async run(args, context) {
    const problem = await strandedBy(args, context)
    if (problem !== undefined) return failed(problem)
    const before = nodesOf(await allGoals(context))
    const result = await records.run(args, context)
    const { hold, release } = changedHolds(before, nodesOf(await allGoals(context)))
    if (hold.length > 0) await context.assistant.hold(hold, true)
    if (release.length > 0) await context.assistant.hold(release, false)
    return { ...result, undo: result.undo && { ...result.undo, tool: restoringGoals } }
  },
})

interface RestoredGoal {
  readonly collection: string
  readonly id: string
  readonly record: { readonly data: JsonObject } | null
}

/** What would lose the goal that it stands under. */
async function strandedBy(args: JsonObject, context: RecordToolContext): Promise<string | undefined> {
  const restored = args['records'] as unknown as readonly RestoredGoal[]
  const goes = (collection: string, id: string) =>
    restored.some((each) => each.collection === collection && each.id === id && each.record === null)
  const comes = (id: string) =>
    restored.some((each) => each.collection === goalsCollection && each.id === id && each.record !== null)
  const goals = await allGoals(context)
  const there = (id: string) =>
    (goals.some(({ goal }) => goal.id === id) && !goes(goalsCollection, id)) || comes(id)
  for (const { collection, id, record } of restored) {
    if (collection === goalsCollection && record === null) {
      if (goals.some(({ goal }) => goal.parentId === id && !goes(goalsCollection, goal.id)))
        return `The goal ${id} has goals under it by now; they would be left without it.`
      const steps = await context.records.list(stepsCollection, { where: { goalId: id }, limit: 1_000 })
      if (steps.records.some((step) => !goes(stepsCollection, step.id)))
        return `The goal ${id} has steps by now; they would be left without it.`
    }
    const above = collection === stepsCollection ? record?.data['goalId'] : record?.data['parentId']
    if (typeof above === 'string' && !there(above))
      return `The goal ${above} is gone, so ${id} cannot be put back.`
  }
  return undefined
}
