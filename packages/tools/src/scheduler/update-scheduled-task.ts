/** Changes a schedule. One that does something else afterwards is a new version, and what was granted to the old is void. */
import {
  editedSchedule,
  idFrom,
  type Schedule,
  type StoredRecord,
  schedulesCollection,
} from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { fieldsCard } from '../records/cards.ts'
import { recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf, wholeLabel } from '../records/kept-label.ts'
import { recordUndo, restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import {
  cardEffects,
  category,
  changeOf,
  clockOf,
  findScheduledTask,
  leavingProblem,
  mostOrigins,
  noTask,
  originsNow,
  type ParseResult,
  parts,
  type ScheduleRequest,
  scheduleData,
  scheduleSummary,
  taskId,
  tooManyOrigins,
} from './scheduled-task.ts'

export const updateScheduledTask = defineTool({
  name: 'update_scheduled_task',
  version: '2',
  description: 'Change a scheduled task, pause it or let it go on. What is left out stays as it is.',
  input: z
    .strictObject({
      taskId,
      name: parts.name.exactOptional(),
      schedule: parts.schedule.exactOptional(),
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
      status: z.enum(['active', 'paused']).exactOptional(),
    })
    .refine((args) => Object.keys(args).length > 1, 'Give at least one field to change.'),
  category,
  group: 'scheduler',
  tags: [
    'schedule',
    'cron',
    'automation',
    'change',
    'edit',
    'reschedule',
    'pause',
    'resume',
    'disable',
    'enable',
    'another time',
    'daily',
    'brief',
    'move to',
    'stop running',
  ],
  effect: 'idempotent',
  floor: 2,
  output: recordLabel,
  undo: restoring,
  runs: 'gateway',
  describe: ({ taskId: id, ...changes }) => `Change scheduled task ${id}: ${Object.keys(changes).join(', ')}`,
  preview: ({ taskId: id, ...changes }) => fieldsCard(`Changes to ${id}`, changes),
  async effects({ taskId: id, ...wanted }, context) {
    const edited = await edit(id, wanted, context)
    if (edited.kind === 'invalid') return edited
    const { before, after } = edited.value
    return {
      kind: 'found',
      resources: [recordResource(schedulesCollection, id, 'write', before.version)],
      effects: cardEffects(after, context),
    }
  },
  async run({ taskId: id, ...wanted }, context) {
    const edited = await edit(id, wanted, context)
    if (edited.kind === 'invalid') return failed(edited.reason)
    const { before, after } = edited.value
    const problem = await leavingProblem(context, [edited.value.was, after])
    if (problem !== undefined) return failed(problem)
    const label = wholeLabel(context, before.label)
    const origins = await originsNow(after.origins, context)
    if (origins.length > mostOrigins) return failed(tooManyOrigins)
    const kept = await context.records.replace(
      schedulesCollection,
      id,
      before.version,
      scheduleData({ ...after, origins }),
      label,
    )
    clockOf(context).changed()
    const summary = `Changed the scheduled task “${after.name}”`
    const undo = recordUndo([{ collection: schedulesCollection, id, before, after: kept }])
    return tellingOf(
      [kept],
      succeeded(`${summary}.\n${JSON.stringify(scheduleSummary(id, after, context))}`, summary, undo),
    )
  },
})

async function edit(
  id: string,
  wanted: ScheduleRequest,
  context: RecordToolContext,
): Promise<ParseResult<{ before: StoredRecord; was: Schedule; after: Schedule }>> {
  const found = await findScheduledTask(id, context)
  if (!found) return { kind: 'invalid', reason: noTask(id) }
  const change = await changeOf(wanted, context)
  if (change.kind === 'invalid') return change
  const after = editedSchedule(found.schedule, change.value, idFrom('ses', context.uuid()))
  return { kind: 'ok', value: { before: found.record, was: found.schedule, after } }
}
