/** Deletes a plan that nothing is done for; an undo brings it back. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { recordUndo, restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { findIdlePlan, planId, plansCollection, touchingPlan } from './plan-record.ts'

export const deletePlan = defineTool({
  name: 'delete_plan',
  version: '1',
  description: 'Delete a plan that is not being carried out.',
  input: z.strictObject({ planId }),
  category: 'plans',
  group: 'plans',
  tags: ['remove', 'erase', 'drop', 'get rid', 'throw away', 'no longer', 'workflow'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: restoring,
  runs: 'gateway',
  describe: ({ planId: id }) => `Delete plan ${id}`,
  preview: ({ planId: id }) => ({ kind: 'text', title: 'Delete plan', text: id }),
  async effects({ planId: id }, context) {
    const found = await findIdlePlan(context, id)
    return found.kind === 'invalid' ? found : touchingPlan(found, 'delete')
  },
  async run({ planId: id }, context) {
    const found = await findIdlePlan(context, id)
    if (found.kind === 'invalid') return failed(found.reason)
    const { record: before, plan } = found
    await context.records.remove(plansCollection, id, before.version)
    const summary = `Deleted the plan “${plan.name}”`
    const undo = recordUndo([{ collection: plansCollection, id, before, after: null }])
    return tellingOf([before], succeeded(`${summary}. It can be undone.`, summary, undo))
  },
})
