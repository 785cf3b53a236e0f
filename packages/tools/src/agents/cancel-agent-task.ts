/** Cancels a task of an agent. Its work is held at once and ended by the assistant. What it did stays done. */
import { endedTaskStates, taskData } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { allGoals, ownGoal, reachProblem } from '../goals/goal-lookup.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel, recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { findAgentTask, missingTask, restartingTask, tasksCollection } from './tasks.ts'

export const cancelAgentTask = defineTool({
  name: 'cancel_agent_task',
  version: '2',
  description: 'Cancel a task of an agent that is under way. What it has done stays done.',
  input: z.strictObject({ taskId: nameText(100) }),
  category: 'agents',
  group: 'agents',
  tags: ['background', 'sub-agent', 'stop', 'abort', 'no longer needed'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: restartingTask,
  runs: 'gateway',
  describe: ({ taskId }) => `Cancel the task ${taskId} of an agent`,
  preview: ({ taskId }) => ({ kind: 'text', title: 'Cancel task', text: taskId }),
  async effects({ taskId }, context) {
    const found = await findAgentTask(context, taskId)
    if (!found) return { kind: 'invalid', reason: missingTask(taskId) }
    return {
      kind: 'found',
      // Bound to the attempt: how far it has come changes the record and not what cancelling it means.
      resources: [recordResource(tasksCollection, taskId, 'write', found.task.attempts)],
      effects: [recordEffect('write', `the task “${found.task.title}” of an agent`)],
    }
  },
  async run({ taskId }, context) {
    const found = await findAgentTask(context, taskId)
    if (!found) return failed(missingTask(taskId))
    const { id, ...task } = found.task
    const problem = await reach(context, task.goal)
    if (problem !== undefined) return failed(problem)
    if (endedTaskStates.includes(task.status))
      return tellingOf(
        [found.record],
        succeeded(`The task is ${task.status} already.`, `It is ${task.status}`),
      )
    const data = taskData({
      ...task,
      status: 'cancelled',
      problem: 'Cancelled by the agent that started it.',
      pausedAt: null,
      nextRetryAt: null,
      endedAt: context.now.toISOString(),
    })
    const after = await context.records.replace(
      tasksCollection,
      id,
      found.record.version,
      data,
      keptLabel(context, found.record.label),
    )
    await context.assistant.hold([id], true)
    const summary = `Cancelled the task “${task.title}”`
    return tellingOf(
      [after],
      succeeded(`${summary}.`, summary, { tool: restartingTask, args: { taskId: id } }),
    )
  },
})

/** Work for one goal leaves the tasks of others alone. */
async function reach(context: RecordToolContext, goal: string | null): Promise<string | undefined> {
  const own = ownGoal(context)
  if (own === null || own === undefined) return undefined
  if (goal === null) return 'That task is not done for the goal of this work, so it cannot be cancelled here.'
  return reachProblem(context, goal, await allGoals(context))
}
