/** Sets a schedule off now, once, besides its times. Its run has the limits and the taint that it always has. */
import { operatorLabel, schedulesCollection } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { category, clockOf, findScheduledTask, noTask, taskId, workWords, writing } from './scheduled-task.ts'

export const triggerTask = defineTool({
  name: 'trigger_task',
  version: '1',
  description:
    'Run a scheduled task now, once. It runs in the background; see how it ended with get_task_history.',
  input: z.strictObject({ taskId }),
  category,
  group: 'scheduler',
  tags: [
    'schedule',
    'automation',
    'run now',
    'start',
    'fire',
    'execute',
    'by hand',
    'at once',
    'test it',
    'weekly',
    'do not wait',
  ],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  runs: 'gateway',
  describe: ({ taskId: id }) => `Run scheduled task ${id} now`,
  preview: ({ taskId: id }) => ({ kind: 'text', title: 'Run now', text: id }),
  async effects({ taskId: id }, context) {
    const found = await findScheduledTask(id, context)
    if (!found) return { kind: 'invalid', reason: noTask(id) }
    const { name, does } = found.schedule
    return {
      kind: 'found',
      resources: [recordResource(schedulesCollection, id, 'read', found.record.version)],
      // What it will have done by then cannot be taken back here.
      effects: [{ ...writing(`a run of “${name}”: ${workWords(does)}`), reversible: false }],
    }
  },
  async run({ taskId: id }, context) {
    const found = await findScheduledTask(id, context)
    if (!found) return failed(noTask(id))
    const fired = await clockOf(context).fire(id, context.cause?.label ?? operatorLabel)
    if (!fired) return failed(`“${found.schedule.name}” could not be set off; nothing keeps the time here.`)
    if (fired.state !== 'queued') return failed(`It does not run now. ${fired.because}`)
    const summary = `Set off “${found.schedule.name}”`
    return tellingOf(
      [found.record],
      succeeded(`${summary}. It runs in the background as ${fired.id}.`, summary),
    )
  },
})
