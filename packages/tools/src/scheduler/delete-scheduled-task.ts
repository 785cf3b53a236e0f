/** Deletes a schedule; an undo brings it back. What it did stays in its history. */
import { schedulesCollection } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { recordUndo, restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { category, clockOf, findScheduledTask, noTask, taskId } from './scheduled-task.ts'

export const deleteScheduledTask = defineTool({
  name: 'delete_scheduled_task',
  version: '1',
  description: 'Delete a scheduled task, so that it never runs again.',
  input: z.strictObject({ taskId }),
  category,
  group: 'scheduler',
  tags: ['schedule', 'cron', 'automation', 'remove', 'cancel', 'stop', 'no longer', 'get rid', 'end'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: restoring,
  runs: 'gateway',
  describe: ({ taskId: id }) => `Delete scheduled task ${id}`,
  preview: ({ taskId: id }) => ({ kind: 'text', title: 'Delete scheduled task', text: id }),
  async effects({ taskId: id }, context) {
    const found = await findScheduledTask(id, context)
    if (!found) return { kind: 'invalid', reason: noTask(id) }
    return {
      kind: 'found',
      resources: [recordResource(schedulesCollection, id, 'delete', found.record.version)],
      effects: [recordEffect('delete', `the scheduled task “${found.schedule.name}”`)],
    }
  },
  async run({ taskId: id }, context) {
    const found = await findScheduledTask(id, context)
    if (!found) return failed(noTask(id))
    await context.records.remove(schedulesCollection, id, found.record.version)
    clockOf(context).changed()
    const summary = `Deleted the scheduled task “${found.schedule.name}”`
    const undo = recordUndo([{ collection: schedulesCollection, id, before: found.record, after: null }])
    return tellingOf([found.record], succeeded(`${summary}. It can be undone.`, summary, undo))
  },
})
