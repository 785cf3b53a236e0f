import {
  type AgentTaskView,
  CountersignError,
  type GoalCard,
  type GoalView,
  type HealthInspection,
  newGoal,
  type StepView,
} from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RouteApp, routeApp } from '../testing/route-app.ts'
import { addGoalRoutes, type GoalParts } from './goals.ts'

const kept = { version: 1, createdAt: 'then', updatedAt: 'then', label: null }
const goal: GoalView = { id: 'goal_1', ...newGoal({ title: 'A' }, 'ses_1'), ...kept, overdue: false }
const inspection: HealthInspection = {
  at: 'then',
  findings: [{ kind: 'goal_stale', id: 'goal_1', seen: 'Nothing was done.', done: 'It waits.' }],
  problems: [],
  nextRetryAt: null,
}
const step: StepView = {
  id: 'step_1',
  goalId: 'goal_1',
  title: 'one',
  status: 'pending',
  order: 0,
  dependsOn: [],
  ...kept,
  ready: true,
}
const task: AgentTaskView = {
  id: 'atask_1',
  title: 'Hotels',
  instructions: 'Find.',
  goal: null,
  parent: 'run_1',
  session: 'ses_2',
  run: null,
  status: 'paused',
  result: null,
  problem: 'no network',
  attempts: 1,
  pausedAt: null,
  nextRetryAt: null,
  endedAt: null,
  reported: false,
  reports: 0,
  ...kept,
}
const card: GoalCard = {
  goal,
  column: 'active',
  path: [],
  nextStep: null,
  lastOutcome: null,
  agentsRunning: 0,
  asks: [],
  spentTodayUsd: 0,
  moneyPerDayUsd: null,
  tierMax: null,
  stuckSince: null,
  heldBy: null,
}

/** Answers with the same goal, and remembers who asked for what. */
function inMemory() {
  const acts: unknown[][] = []
  const act = <T>(value: T, ...words: unknown[]): Promise<T> => {
    acts.push(words)
    return Promise.resolve(value)
  }
  const changed = { goal, goals: 3, ledger: 7 }
  const parts: GoalParts = {
    goals: {
      list: (filter) => act([goal], 'list', filter),
      board: () => act({ columns: [{ column: 'active', title: 'Active', cards: [card] }] }, 'board'),
      show: (id) =>
        id === 'goal_1'
          ? act({ card, steps: [step], subGoals: [], tasks: [task] }, 'show', id)
          : Promise.reject(new CountersignError('not_found', `There is no goal ${id}.`)),
      add: ({ id }, given) => act({ goal, ledger: 7 }, id, 'add', given),
      set: ({ id }, ref, change) => act(changed, id, 'set', ref, change),
      remove: ({ id }, ref) => act(7, id, 'remove', ref),
      pause: ({ id }, ref) => act(changed, id, 'pause', ref),
      resume: ({ id }, ref) => act(changed, id, 'resume', ref),
      done: ({ id }, ref) => act(changed, id, 'done', ref),
      addStep: ({ id }, ref, given) => act({ step, ledger: 7 }, id, 'add step', ref, given),
      setStep: ({ id }, ref, which, change) => act({ step, ledger: 7 }, id, 'set step', ref, which, change),
      removeStep: ({ id }, ref, which) => act(7, id, 'remove step', ref, which),
      addEntry: ({ id }, ref, list, { text }) =>
        act(
          { entry: { id: 'entry_1', text, at: 'then', by: 'operator', label: null }, ledger: 7 },
          id,
          list,
          ref,
          text,
        ),
      setEntry: ({ id }, ref, { list, entry }, { text }) =>
        act(
          { entry: { id: entry, text, at: 'then', by: 'operator', label: null }, ledger: 7 },
          id,
          `set ${list}`,
          ref,
          entry,
          text,
        ),
      removeEntry: ({ id }, ref, list, which) => act(7, id, `remove ${list}`, ref, which),
    },
    tasks: {
      list: (filter) => act([task], 'tasks', filter),
      show: () => act(task, 'task'),
      retry: ({ id }, ref) => act({ task, ledger: 7 }, id, 'retry', ref),
      cancel: ({ id }, ref) => act({ task, ledger: 7 }, id, 'cancel', ref),
    },
    inspect: () => act(inspection, 'inspect'),
  }
  return { parts, acts }
}

let assistant: ReturnType<typeof inMemory>
let client: RouteApp['client']
let app: RouteApp['app']
beforeEach(() => {
  assistant = inMemory()
  ;({ app, client } = routeApp((routes) => addGoalRoutes(routes, assistant.parts)))
})

describe('the routes of goals', () => {
  it('answer every call of the client, and every change with its number and by whom', async () => {
    expect(await client.goals({ all: 'true' })).toEqual([goal])
    expect(await client.goalBoard()).toMatchObject({ columns: [{ column: 'active' }] })
    expect(await client.goal('goal_1')).toMatchObject({ steps: [step], tasks: [task] })
    const numbers = [
      await client.addGoal({ title: 'B', limits: { tierMax: 1 } }),
      await client.setGoal('goal_1', { limits: { tierMax: null }, due: null }),
      await client.pauseGoal('goal_1'),
      await client.resumeGoal('goal_1'),
      await client.finishGoal('goal_1'),
      await client.addGoalStep('goal_1', { title: 'two' }),
      await client.setGoalStep('goal_1', 'step_1', { status: 'completed' }),
      await client.removeGoalStep('goal_1', 'step_1'),
      await client.addGoalNote('goal_1', { text: 'n' }),
      await client.setGoalNote('goal_1', 'entry_1', { text: 'm' }),
      await client.removeGoalNote('goal_1', 'entry_1'),
      await client.addGoalLearning('goal_1', { text: 'l' }),
      await client.setGoalLearning('goal_1', 'entry_1', { text: 'k' }),
      await client.removeGoalLearning('goal_1', 'entry_1'),
      await client.removeGoal('goal_1'),
      await client.retryAgentTask('atask_1'),
      await client.cancelAgentTask('atask_1'),
    ]
    expect(numbers.map(({ ledger }) => ledger)).toEqual(numbers.map(() => 7))
    expect(await client.agentTasks({ status: 'paused' })).toEqual([task])
    expect(await client.agentTask('atask_1')).toEqual(task)
    expect(assistant.acts).toEqual([
      ['list', { all: true }],
      ['board'],
      ['show', 'goal_1'],
      ['laptop', 'add', { title: 'B', limits: { tierMax: 1 } }],
      ['laptop', 'set', 'goal_1', { limits: { tierMax: null }, due: null }],
      ['laptop', 'pause', 'goal_1'],
      ['laptop', 'resume', 'goal_1'],
      ['laptop', 'done', 'goal_1'],
      ['laptop', 'add step', 'goal_1', { title: 'two' }],
      ['laptop', 'set step', 'goal_1', 'step_1', { status: 'completed' }],
      ['laptop', 'remove step', 'goal_1', 'step_1'],
      ['laptop', 'notes', 'goal_1', 'n'],
      ['laptop', 'set notes', 'goal_1', 'entry_1', 'm'],
      ['laptop', 'remove notes', 'goal_1', 'entry_1'],
      ['laptop', 'learnings', 'goal_1', 'l'],
      ['laptop', 'set learnings', 'goal_1', 'entry_1', 'k'],
      ['laptop', 'remove learnings', 'goal_1', 'entry_1'],
      ['laptop', 'remove', 'goal_1'],
      ['laptop', 'retry', 'atask_1'],
      ['laptop', 'cancel', 'atask_1'],
      ['tasks', { status: 'paused' }],
      ['task'],
    ])
  })

  it('refuse what does not fit before anybody is asked', async () => {
    const wrong: Promise<unknown>[] = [
      client.addGoal({ title: ' ' }),
      client.addGoal({ title: 'A', limits: { hosts: ['*.example'] } }),
      client.setGoal('goal_1', { status: 'open' as never }),
      client.setGoal('goal_1', { session: 'ses_2' } as never),
      client.goals({ status: 'open' }),
      client.addGoalNote('goal_1', { text: ' ' }),
      client.agentTasks({ status: 'open' }),
    ]
    for (const each of wrong) await expect(each).rejects.toMatchObject({ code: 'usage' })
    expect(assistant.acts).toEqual([])
    await expect(client.goal('goal_2')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('look after work at once and tell what was found', async () => {
    expect(await client.inspectWork()).toEqual(inspection)
    expect(assistant.acts).toEqual([['inspect']])
  })

  it('are all in the API document', () => {
    const { paths } = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 't', version: '1' } })
    const routes = Object.values(paths ?? {}).flatMap((methods) => Object.keys(methods))
    expect(routes).toHaveLength(23)
  })
})
