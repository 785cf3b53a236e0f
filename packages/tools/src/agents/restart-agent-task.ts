/** Takes the cancellation of a task back: its agent goes on in the same conversation. Not offered to models. */
import { SessionId, taskData } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel, recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { findAgentTask, missingTask, restartingTask, tasksCollection } from './tasks.ts'

export const restartAgentTask = defineTool({
  name: restartingTask,
  version: '1',
  description: 'Let a task of an agent that was cancelled go on.',
  input: z.strictObject({ taskId: nameText(100) }),
  category: 'agents',
  group: 'agents',
  tags: ['undo'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  hidden: true,
  undo: 'cancel_agent_task',
  runs: 'gateway',
  describe: ({ taskId }) => `Let the task ${taskId} of an agent go on`,
  preview: ({ taskId }) => ({ kind: 'text', title: 'Go on with the task', text: taskId }),
  async effects({ taskId }, context) {
    const found = await findAgentTask(context, taskId)
    if (!found) return { kind: 'invalid', reason: missingTask(taskId) }
    if (found.task.status !== 'cancelled')
      return {
        kind: 'invalid',
        reason: `The task is ${found.task.status}, so there is nothing to take back.`,
      }
    return {
      kind: 'found',
      resources: [recordResource(tasksCollection, taskId, 'write', found.record.version)],
      effects: [recordEffect('write', `the task “${found.task.title}” of an agent`)],
    }
  },
  async run({ taskId }, context) {
    const found = await findAgentTask(context, taskId)
    if (found?.task.status !== 'cancelled') return failed(missingTask(taskId))
    const { id, ...task } = found.task
    const attempts = task.attempts + 1
    await context.assistant.hold([id], false)
    await context.assistant.begin({
      key: `task/${id}/${attempts}`,
      title: task.title,
      text: 'The task was cancelled by mistake. Go on with it.',
      agent: 'task',
      goal: task.goal,
      about: id,
      session: SessionId.parse(task.session),
    })
    const data = taskData({
      ...task,
      status: 'active',
      attempts,
      problem: null,
      endedAt: null,
      reported: false,
    })
    const { version, label } = found.record
    const after = await context.records.replace(tasksCollection, id, version, data, keptLabel(context, label))
    const summary = `The task “${task.title}” goes on`
    return tellingOf(
      [after],
      succeeded(`${summary}.`, summary, { tool: 'cancel_agent_task', args: { taskId: id } }),
    )
  },
})
