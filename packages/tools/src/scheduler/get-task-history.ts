/** Tells what a schedule did: its runs, and the times at which it did not run with the reason. */
import { schedulesCollection } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { failed, succeeded } from '../result.ts'
import { category, clockOf, findScheduledTask, noTask, taskId } from './scheduled-task.ts'

export const getTaskHistory = defineTool({
  name: 'get_task_history',
  version: '2',
  description: 'Get the history of a scheduled task: when it ran, how that ended, and why it did not run.',
  input: z.strictObject({ taskId, limit: z.int().min(1).default(10) }),
  category,
  group: 'scheduler',
  tags: [
    'schedule',
    'automation',
    'runs',
    'executions',
    'log',
    'outcome',
    'did it run',
    'why not',
    'failed',
    'missed',
    'skipped',
  ],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  limit: { param: 'limit', max: 50, default: 10 },
  runs: 'gateway',
  describe: ({ taskId: id }) => `Show the history of scheduled task ${id}`,
  preview: ({ taskId: id }) => ({ kind: 'text', title: 'History of a scheduled task', text: id }),
  async effects({ taskId: id }, context) {
    const found = await findScheduledTask(id, context)
    if (!found) return { kind: 'invalid', reason: noTask(id) }
    return {
      kind: 'found',
      resources: [recordResource(schedulesCollection, id, 'read', null)],
      effects: [recordEffect('read', `the history of “${found.schedule.name}”`)],
    }
  },
  async run({ taskId: id, limit }, context) {
    const found = await findScheduledTask(id, context)
    if (!found) return failed(noTask(id))
    const history = await clockOf(context).history(id, limit)
    const lines = history.map(({ dueAt, state, because, run, costUsd }) =>
      JSON.stringify({
        due: dueAt,
        state,
        because,
        ...(run ? { run } : {}),
        ...(costUsd === null ? {} : { costUsd }),
      }),
    )
    const { name } = found.schedule
    const head =
      lines.length === 0
        ? `“${name}” was not due yet.`
        : `The last ${counted(lines.length, 'time', 'times')} of “${name}”:`
    return tellingOf([found.record], succeeded([head, ...lines].join('\n'), `Read the history of “${name}”`))
  },
})
