/**
 * Gives work to an agent in the background, with nothing but its instructions. Refuses tasks and plans, which work
 * alone, and more tasks than can be looked over.
 */
import { type AgentTask, taskData, taskPrefix, taskText } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { allGoals, goalsCollection, missingGoal, ownGoal, reachProblem } from '../goals/goal-lookup.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { fieldsCard } from '../records/cards.ts'
import { newId } from '../records/collection.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel, recordLabel } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { commandText, nameText } from '../text.ts'
import { allTasks, isUnderWay, mostTasks, mostTasksOfRun, tasksCollection } from './tasks.ts'

const alone = ['task', 'plan']

export const startAgentTask = defineTool({
  name: 'start_agent_task',
  version: '1',
  description:
    'Give a piece of work to an agent in the background. It sees only these instructions and the goal, so say everything it needs. Its result comes back by itself, with those of the others that were started here.',
  input: z.strictObject({
    title: nameText(200),
    instructions: commandText(20_000),
    goalId: nameText(100).describe('Left out, the goal of this work').exactOptional(),
  }),
  category: 'agents',
  group: 'agents',
  tags: ['delegate', 'background', 'research', 'sub-agent', 'parallel', 'helper', 'look into', 'task'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: 'cancel_agent_task',
  runs: 'gateway',
  describe: ({ title }) => `Start the task “${title}” in the background`,
  preview: (args) => fieldsCard('New task of an agent', { ...args }),
  async effects({ goalId }, context) {
    if (goalId !== undefined && !(await context.records.get(goalsCollection, goalId)))
      return { kind: 'invalid', reason: missingGoal(goalId) }
    return {
      kind: 'found',
      // Counted against each other, so one is decided after the other.
      resources: [recordResource(tasksCollection, '*', 'write', null)],
      effects: [recordEffect('write', 'a new task of an agent')],
    }
  },
  async run({ title, instructions, goalId }, context) {
    const { cause } = context
    if (!cause) return failed('A task is started by a run, and there is none.')
    const problem = (await refusal(context, cause)) ?? (await goalProblem(context, goalId))
    if (problem !== undefined) return failed(problem)
    const goal = goalId ?? ownGoal(context) ?? null
    const id = newId(taskPrefix, context.uuid())
    const { session } = await context.assistant.begin({
      key: `task/${id}`,
      title,
      text: taskText({ title, instructions }),
      agent: 'task',
      ...(goal === null ? {} : { goal }),
      about: id,
    })
    const task: AgentTask = {
      title,
      instructions,
      goal,
      parent: cause.run,
      session,
      run: null,
      status: 'active',
      result: null,
      problem: null,
      attempts: 1,
      pausedAt: null,
      nextRetryAt: null,
      endedAt: null,
      reported: false,
      reports: 0,
    }
    await context.records.insert(tasksCollection, id, taskData(task), keptLabel(context))
    const summary = `Started the task “${title}”`
    return succeeded(
      `${summary}. Its result comes by itself; do not wait for it.\n${JSON.stringify({ id, title })}`,
      summary,
      { tool: 'cancel_agent_task', args: { taskId: id } },
    )
  },
})

async function refusal(
  context: RecordToolContext,
  cause: NonNullable<RecordToolContext['cause']>,
): Promise<string | undefined> {
  if (alone.includes(cause.agent))
    return `A ${cause.agent} cannot start tasks. Do the work yourself, or say in your last reply what is left to do.`
  const underWay = (await allTasks(context)).filter(isUnderWay)
  if (underWay.filter(({ task }) => task.parent === cause.run).length >= mostTasksOfRun)
    return `${mostTasksOfRun} tasks of this run are under way, and more are not started. Wait for their results, or cancel one with cancel_agent_task.`
  if (underWay.length >= mostTasks)
    return `${mostTasks} tasks are under way, and more are not started. Wait until some have ended.`
  return undefined
}

/** Work for one goal starts no work for another, whose limits may be wider. */
async function goalProblem(
  context: RecordToolContext,
  goalId: string | undefined,
): Promise<string | undefined> {
  if (goalId === undefined) return undefined
  if (ownGoal(context) === undefined && context.cause?.agent !== 'assistant')
    return 'Leave goalId out: the task is done for the same goal as this work.'
  const goals = await allGoals(context)
  if (!goals.some(({ goal }) => goal.id === goalId)) return missingGoal(goalId)
  return reachProblem(context, goalId, goals)
}
