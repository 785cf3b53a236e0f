/** Lists the tasks of agents, the newest first. */
import { AgentTaskStatus } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { listLimit } from '../records/list.ts'
import { lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { allTasks, taskSummary, tasksCollection } from './tasks.ts'

export const listAgentTasks = defineTool({
  name: 'list_agent_tasks',
  version: '1',
  description:
    'List the tasks that agents work on in the background, the newest first. These are not the to-do list.',
  input: z.strictObject({
    status: AgentTaskStatus.exactOptional(),
    goalId: nameText(100).exactOptional(),
    limit: z.int().min(1).default(listLimit.default),
  }),
  limit: listLimit,
  category: 'agents',
  group: 'agents',
  tags: ['background', 'sub-agents', 'delegated', 'running', 'what is under way', 'helpers', 'working on'],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  runs: 'gateway',
  describe: ({ status }) =>
    status === undefined ? 'List tasks of agents' : `List ${status} tasks of agents`,
  preview: (args) => fieldsCard('List tasks of agents', { ...args }),
  effects: async () => listing(tasksCollection, 'tasks of agents'),
  async run({ status, goalId, limit }, context) {
    const found = (await allTasks(context)).filter(
      ({ task }) =>
        (status === undefined || task.status === status) && (goalId === undefined || task.goal === goalId),
    )
    const shown = found.slice(0, limit)
    const head =
      found.length === 0 ? 'No tasks of agents found.' : `${shown.length} of ${found.length} tasks:`
    return tellingOf(
      shown.map(({ record }) => record),
      succeeded([head, ...(shown.length === 0 ? [] : [lines(shown.map(taskSummary))])].join('\n'), head),
    )
  },
})
