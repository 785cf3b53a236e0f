/** Tells one task of an agent with its instructions and what came of it. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { findAgentTask, missingTask, taskDetails, tasksCollection } from './tasks.ts'

export const getAgentTask = defineTool({
  name: 'get_agent_task',
  version: '1',
  description: 'Show one task of an agent with its instructions and its result.',
  input: z.strictObject({ taskId: nameText(100) }),
  category: 'agents',
  group: 'agents',
  tags: ['background', 'sub-agent', 'result', 'outcome', 'show'],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  runs: 'gateway',
  describe: ({ taskId }) => `Show the task ${taskId} of an agent`,
  preview: ({ taskId }) => ({ kind: 'text', title: 'Show task', text: taskId }),
  async effects({ taskId }, context) {
    if (!(await findAgentTask(context, taskId))) return { kind: 'invalid', reason: missingTask(taskId) }
    return {
      kind: 'found',
      resources: [recordResource(tasksCollection, taskId, 'read', null)],
      effects: [recordEffect('read', 'a task of an agent')],
    }
  },
  async run({ taskId }, context) {
    const found = await findAgentTask(context, taskId)
    if (!found) return failed(missingTask(taskId))
    return tellingOf(
      [found.record],
      succeeded(JSON.stringify(taskDetails(found)), `Showed “${found.task.title}”`),
    )
  },
})
