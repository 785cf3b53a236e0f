/** Owns how goals are shown: in columns by what they wait for, each with what matters about it now. Only reads. */
import {
  type GoalAsk,
  type GoalBoard,
  type GoalCard,
  GoalColumn,
  type GoalDetail,
  goalColumnTitle,
  goalPath,
  nanosPerDollar,
  type RunId,
  readySteps,
  type StopReason,
  spanOf,
} from '@countersign/contract'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { type RunActivity, runActivityOf, stuckSince } from '../health/activity.ts'
import { thresholds } from '../health/thresholds.ts'
import { tasksIn } from '../tasks/task-records.ts'
import { viewOf } from '../tasks/tasks.ts'
import {
  type GoalRecord,
  type GoalStepRecord,
  goalsIn,
  goalView,
  knownGoal,
  nodesOf,
  stepsIn,
  stepView,
} from './goal-records.ts'

interface BoardData {
  readonly goals: readonly GoalRecord[]
  readonly steps: readonly GoalStepRecord[]
  readonly runs: readonly RunActivity[]
  readonly asks: readonly (GoalAsk & { readonly goal: string })[]
  readonly ends: ReadonlyMap<string, NonNullable<GoalCard['lastOutcome']>>
  readonly spent: ReadonlyMap<string, number>
}

export async function boardOf(tx: AssistantTransaction, now: Date, zone: string): Promise<GoalBoard> {
  const seen = await see(tx, now, zone)
  const cards = seen.goals
    .filter(({ goal }) => goal.status !== 'archived')
    .map((each) => cardOf(each, seen, now))
    .toSorted(byUrgency)
  return {
    columns: GoalColumn.options.map((column) => ({
      column,
      title: goalColumnTitle[column],
      cards: cards.filter((card) => card.column === column),
    })),
  }
}

export async function detailOf(
  tx: AssistantTransaction,
  id: string,
  now: Date,
  zone: string,
): Promise<GoalDetail> {
  const found = await knownGoal(tx, id)
  const seen = await see(tx, now, zone)
  const steps = seen.steps.filter(({ step }) => step.goalId === id)
  return {
    card: cardOf(found, seen, now),
    steps: steps.map((step) => stepView(step, steps)),
    subGoals: seen.goals.filter(({ goal }) => goal.parentId === id).map((each) => goalView(each, now)),
    tasks: (await tasksIn(tx, { goal: id })).map(viewOf),
  }
}

function cardOf(kept: GoalRecord, seen: BoardData, now: Date): GoalCard {
  const { goal } = kept
  const path = goalPath(goal.id, nodesOf(seen.goals)).flatMap(
    ({ id }) => seen.goals.find((each) => each.goal.id === id)?.goal ?? [],
  )
  const heldBy = path.slice(1).find(({ held }) => held)?.title ?? null
  const runs = seen.runs.filter((run) => run.goal === goal.id)
  const asks = seen.asks
    .filter((ask) => ask.goal === goal.id)
    .map(({ kind, ref, text, run }) => ({ kind, ref, text, run }))
  const stuck = runs.flatMap((run) => stuckSince(run, now, thresholds.stuckRunMs) ?? [])
  const steps = seen.steps.filter(({ step }) => step.goalId === goal.id).map(({ step }) => step)
  const agentsRunning = runs.filter(({ state }) => state === 'running').length
  return {
    goal: goalView(kept, now),
    column: columnOf(goal.status, { held: heldBy !== null, asks: asks.length, agentsRunning }),
    path: path
      .slice(1)
      .map(({ title }) => title)
      .toReversed(),
    nextStep: readySteps(steps)[0]?.title ?? null,
    lastOutcome: seen.ends.get(goal.id) ?? null,
    agentsRunning,
    asks,
    spentTodayUsd: seen.spent.get(goal.id) ?? 0,
    moneyPerDayUsd: lowest(path.map(({ limits }) => limits.moneyPerDayUsd)),
    tierMax: lowest(path.map(({ limits }) => limits.tierMax)),
    stuckSince: stuck[0]?.toISOString() ?? null,
    heldBy,
  }
}

export function columnOf(
  status: GoalCard['goal']['status'],
  {
    held,
    asks,
    agentsRunning,
  }: { readonly held: boolean; readonly asks: number; readonly agentsRunning: number },
): GoalColumn {
  if (status === 'completed' || status === 'abandoned' || status === 'archived') return 'done'
  if (status === 'paused' || held) return 'paused'
  if (asks > 0) return 'waiting-on-you'
  return status === 'waiting' && agentsRunning === 0 ? 'waiting-on-world' : 'active'
}

async function see(tx: AssistantTransaction, now: Date, zone: string): Promise<BoardData> {
  const { db } = tx
  const goals = await goalsIn(tx)
  const steps = await stepsIn(tx)
  const runs = await runActivityOf(db)
  const asks = await sql<GoalAsk & { goal: string }>`
    select 'approval' as kind, approvals.code as ref, approvals.card ->> 'headline' as text, runs.id as run, runs.goal
    from approvals join runs on runs.id = approvals.run_id
    where approvals.state = 'pending' and runs.goal is not null
    union all
    select 'question', questions.id, case when questions.kind = 'server'
        then 'A question of the server ' || (questions.server ->> 'server') || '.' else questions.text end,
      runs.id, runs.goal
    from questions join runs on runs.id = questions.run_id
    where questions.state = 'open' and runs.goal is not null`.execute(db)
  const ends = await sql<{ goal: string; run: RunId; at: Date; reason: StopReason; message: string }>`
    select distinct on (goal) goal, id as run, ended_at as at, reason, message
    from runs where goal is not null and state = 'stopped' and ended_at is not null
    order by goal, ended_at desc`.execute(db)
  const spent = await sql<{ goal: string; cost: string }>`
    select goal, sum(cost) as cost from model_calls
    where goal is not null and started_at >= ${spanOf('day', now, zone).from} group by goal`.execute(db)
  return {
    goals,
    steps,
    runs,
    asks: asks.rows.map((ask) => ({ ...ask, text: ask.text ?? '' })),
    ends: new Map(
      ends.rows.map(({ goal, run, at, reason, message }) => [
        goal,
        { run, at: at.toISOString(), reason, message },
      ]),
    ),
    spent: new Map(spent.rows.map(({ goal, cost }) => [goal, Number(cost) / nanosPerDollar])),
  }
}

function lowest(values: readonly (number | undefined)[]): number | null {
  const set = values.filter((value) => value !== undefined)
  return set.length === 0 ? null : Math.min(...set)
}

function byUrgency({ goal: left }: GoalCard, { goal: right }: GoalCard): number {
  if (left.priority !== right.priority) return right.priority - left.priority
  const [a, b] = [left.due ?? '~', right.due ?? '~']
  if (a !== b) return a < b ? -1 : 1
  return left.id < right.id ? -1 : 1
}
