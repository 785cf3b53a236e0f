/** Goals and tasks of agents in the scripted gateway: lists that a test fills, and what was asked of them. */
import {
  type AgentTaskView,
  CountersignError,
  type GoalCard,
  type GoalChange,
  type GoalColumn,
  type GoalDetail,
  type GoalView,
  goalColumnTitle,
  type HealthInspection,
  type NewGoal,
  newGoal,
  type StepView,
} from '@countersign/contract'
import type { SeenRequest } from './models.ts'

export interface FakeGoals {
  readonly asked: SeenRequest[]
  cards: GoalCard[]
  steps: StepView[]
  tasks: AgentTaskView[]
  inspection: HealthInspection
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const at = '2026-08-01T11:00:00.000Z'
const kept = { version: 1, createdAt: at, updatedAt: at, label: null }

export const goalId = (number: number): string => `goal_${number.toString(16).padStart(32, '0')}`

export function goalView(number: number, title: string, more: Partial<GoalView> = {}): GoalView {
  return { id: goalId(number), ...newGoal({ title }, 'ses_1'), ...kept, overdue: false, ...more }
}

export function goalCard(goal: GoalView, more: Partial<GoalCard> = {}): GoalCard {
  return {
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
    ...more,
  }
}

export function stepView(id: string, title: string, more: Partial<StepView> = {}): StepView {
  const own = { goalId: goalId(1), title, status: 'pending', order: 0, dependsOn: [] } as const
  return { id, ...own, dependsOn: [], ...kept, ready: true, ...more }
}

export function taskView(id: string, more: Partial<AgentTaskView> = {}): AgentTaskView {
  return {
    id,
    title: 'Hotels',
    instructions: 'Find three hotels.',
    goal: null,
    parent: 'run_1',
    session: 'ses_2',
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
    ...kept,
    ...more,
  }
}

export function fakeGoals(): FakeGoals {
  const fake: FakeGoals = {
    asked: [],
    cards: [],
    steps: [],
    tasks: [],
    inspection: { at, findings: [], problems: [], nextRetryAt: null },
    answer(request) {
      const [, , noun = '', ref = '', verb = ''] = request.path.split('/').map(decodeURIComponent)
      if (!['goals', 'goal-board', 'agent-tasks', 'inspections'].includes(noun)) return undefined
      fake.asked.push(request)
      if (noun === 'inspections') return fake.inspection
      if (noun === 'goal-board') return { columns: columnsOf(fake.cards) }
      return noun === 'goals' ? goals(request, ref, verb) : tasks(ref, verb)
    },
  }

  function goals({ method, body, query }: SeenRequest, ref: string, verb: string): unknown {
    if (ref === '' && method === 'GET')
      return fake.cards
        .map(({ goal }) => goal)
        .filter(({ status }) => query['all'] === 'true' || (query['status'] ?? 'active') === status)
    if (ref === '') {
      const goal = goalView(fake.cards.length + 1, (body as NewGoal).title, body as Partial<GoalView>)
      fake.cards.push(goalCard(goal))
      return { goal, ledger: 7 }
    }
    const card = fake.cards.find(({ goal }) => goal.id === ref) ?? missing(`goal ${ref}`)
    if (method === 'DELETE') return { ok: true, ledger: 7 }
    if (verb === 'steps') return { step: { ...stepView('step_1', 'x'), ...(body as object) }, ledger: 8 }
    if (verb === 'notes' || verb === 'learnings')
      return {
        entry: { id: 'entry_1', at, by: 'operator', label: null, ...(body as { text: string }) },
        ledger: 9,
      }
    if (verb === 'pause') return { goal: { ...card.goal, status: 'paused' }, goals: 3, ledger: 7 }
    if (verb === 'resume') return { goal: { ...card.goal, status: 'active' }, goals: 1, ledger: 7 }
    if (verb === 'done') return { goal: { ...card.goal, status: 'completed' }, ledger: 7 }
    if (method === 'PUT')
      return { goal: { ...card.goal, title: (body as GoalChange).title ?? card.goal.title }, ledger: 7 }
    const detail: GoalDetail = { card, steps: fake.steps, subGoals: [], tasks: fake.tasks }
    return detail
  }

  function tasks(ref: string, verb: string): unknown {
    if (ref === '') return fake.tasks
    const task = fake.tasks.find(({ id }) => id === ref) ?? missing(`task ${ref}`)
    if (verb === 'retry')
      return { task: { ...task, status: 'active', attempts: task.attempts + 1 }, ledger: 7 }
    return verb === 'cancel' ? { task: { ...task, status: 'cancelled' }, ledger: 7 } : task
  }

  return fake
}

function columnsOf(cards: readonly GoalCard[]): unknown {
  return (Object.keys(goalColumnTitle) as GoalColumn[]).map((column) => ({
    column,
    title: goalColumnTitle[column],
    cards: cards.filter((card) => card.column === column),
  }))
}

function missing(what: string): never {
  throw new CountersignError('not_found', `There is no ${what}.`)
}
