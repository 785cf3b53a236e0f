/** Makes a schedule: work that begins by itself, at its times or on events. */
import { schedulesCollection } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { newRecord, recordResource } from '../records/effects.ts'
import { recordLabel, wholeLabel } from '../records/kept-label.ts'
import { recordUndo, restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import {
  cardEffects,
  category,
  clockOf,
  leavingProblem,
  newSchedule,
  newTaskId,
  originsNow,
  parts,
  scheduleData,
  scheduleSummary,
} from './scheduled-task.ts'

export const createScheduledTask = defineTool({
  name: 'create_scheduled_task',
  version: '3',
  description:
    'Create a task that runs by itself: at set times, or when a message, an e-mail, a file or a webhook sets it off. Each run is unattended; what needs approval waits for the operator.',
  input: z.strictObject({
    name: parts.name,
    schedule: parts.schedule,
    prompt: parts.prompt.exactOptional(),
    planId: parts.planId.exactOptional(),
    timezone: parts.timezone.exactOptional(),
    agent: parts.agent.exactOptional(),
    goalId: parts.goalId.exactOptional(),
    missed: parts.missed.exactOptional(),
    overlap: parts.overlap.exactOptional(),
    success: parts.success.exactOptional(),
    tierMax: parts.tierMax.exactOptional(),
    maxCostUsd: parts.maxCostUsd.exactOptional(),
  }),
  category,
  group: 'scheduler',
  tags: [
    'schedule',
    'cron',
    'recurring',
    'repeat',
    'every day',
    'every week',
    'every morning',
    'daily',
    'weekly',
    'automation',
    'automate',
    'trigger',
    'webhook',
    'timer',
    'later',
    'at a set time',
    'in an hour',
    'regularly',
    'watch a file',
  ],
  effect: 'idempotent',
  floor: 2,
  output: recordLabel,
  undo: restoring,
  runs: 'gateway',
  describe: ({ name, schedule }) => `Create scheduled task: ${name} (${schedule})`,
  preview: (args) => fieldsCard('New scheduled task', args),
  async effects(args, context) {
    const made = await newSchedule(args, context)
    if (made.kind === 'invalid') return made
    return {
      kind: 'found',
      resources: [recordResource(schedulesCollection, newRecord, 'write', null)],
      effects: cardEffects(made.value, context),
    }
  },
  async run(args, context) {
    const made = await newSchedule(args, context)
    if (made.kind === 'invalid') return failed(made.reason)
    const problem = await leavingProblem(context, [made.value])
    if (problem !== undefined) return failed(problem)
    const id = newTaskId(context)
    const after = await context.records.insert(
      schedulesCollection,
      id,
      scheduleData({ ...made.value, origins: await originsNow([], context) }),
      wholeLabel(context),
    )
    clockOf(context).changed()
    const summary = `Created the scheduled task “${made.value.name}”`
    const line = JSON.stringify(scheduleSummary(id, made.value, context))
    const undo = recordUndo([{ collection: schedulesCollection, id, before: null, after }])
    return succeeded(`${summary}.\n${line}`, summary, undo)
  },
})
