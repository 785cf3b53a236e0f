/**
 * Owns what the operator does with goals by hand: each an act of its own, with its ledger entry. The operator may
 * widen limits and move goals, which no model may.
 */
import {
  type AddGoalEntry,
  type AddStep,
  CountersignError,
  changedGoal,
  changedHolds,
  changedStep,
  type Goal,
  type GoalChange,
  type GoalEntry,
  type GoalStep,
  type GoalView,
  goalData,
  goalNode,
  goalParentProblem,
  goalsUnder,
  heldGoals,
  idFrom,
  type JsonObject,
  mostGoalSteps,
  mostGoals,
  type NewGoal,
  newGoal,
  openGoalStates,
  type StepChange,
  stepData,
  stepProgress,
  withEntry,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { Hand, House } from '../hand.ts'
import { boardOf, detailOf } from './board.ts'
import {
  goalsCollection,
  goalsIn,
  goalView,
  type KeptGoal,
  type KeptStep,
  knownGoal,
  nodesOf,
  stepsCollection,
  stepsIn,
  stepView,
} from './rows.ts'

export interface GoalsOptions {
  readonly house: House
  /** Holds all work under these goals, or lets it go on, once the transaction is committed. */
  readonly hold: (hand: Hand, ids: readonly string[], held: boolean) => Promise<void>
  /** Keeps the money of a goal; null takes the limit away. */
  readonly setBudget: (goal: string, usdPerDay: number | null, actor: Actor) => Promise<unknown>
}

export type Goals = ReturnType<typeof createGoals>

type Entries = 'notes' | 'learnings'

export function createGoals({ house, hold, setBudget }: GoalsOptions) {
  const { operator, records, zone, uuid } = house
  const act = <T>(work: (hand: Hand) => Promise<T>) => records.change(operator, work)
  const newId = (prefix: string) => `${prefix}_${uuid().replaceAll('-', '')}`

  async function add(actor: Actor, given: NewGoal) {
    const { value, ledger } = await act(async (hand) => {
      const goals = await goalsIn(hand)
      if (goals.length >= mostGoals) throw usage(`There are ${mostGoals} goals already.`)
      const problem = goalParentProblem(null, given.parentId ?? null, nodesOf(goals))
      if (problem !== undefined) throw usage(problem)
      const id = newId('goal')
      const data = newGoal(given, idFrom('ses', uuid()))
      const record = await hand.records.insert(goalsCollection, id, goalData(data), null)
      if (given.parentId !== undefined && heldGoals(nodesOf(goals)).has(given.parentId))
        await hold(hand, [id], true)
      hand.record({
        type: 'goal.added',
        actor,
        data: { goal: id, title: data.title, limits: limitsOf(data) },
      })
      return goalView({ record, goal: { id, ...data } }, hand.now)
    })
    await keepMoney(value.id, undefined, value.limits.moneyPerDayUsd, actor)
    return { goal: value, ledger }
  }

  async function set(actor: Actor, id: string, change: GoalChange) {
    const { value, ledger } = await act(async (hand) => {
      const goals = await goalsIn(hand)
      const before = await knownGoal(hand, id)
      if (change.parentId !== undefined) {
        const problem = goalParentProblem(id, change.parentId, nodesOf(goals))
        if (problem !== undefined) throw usage(problem)
      }
      const after = await write(hand, before, change)
      const held = await holdAgain(hand, goals, after)
      const limits = change.limits
        ? { limits: limitsOf(after.goal), limitsBefore: limitsOf(before.goal) }
        : {}
      hand.record({
        type: entryOf(before.goal, after.goal),
        actor,
        data: { goal: id, title: after.goal.title, changed: Object.keys(change), ...limits, ...held },
      })
      return { before: before.goal, view: goalView(after, hand.now), goals: held.held + held.released }
    })
    await keepMoney(id, value.before.limits.moneyPerDayUsd, value.view.limits.moneyPerDayUsd, actor)
    return { goal: value.view, goals: value.goals, ledger }
  }

  async function write(hand: Hand, { record, goal }: KeptGoal, change: GoalChange): Promise<KeptGoal> {
    const { id, ...before } = goal
    const made = changedGoal(before, change, hand.now)
    if (made.kind === 'invalid') throw new CountersignError('conflict', made.reason, { next: seeGoal(id) })
    const after = await hand.records.replace(
      goalsCollection,
      id,
      record.version,
      goalData(made.data),
      record.label,
    )
    return { record: after, goal: { id, ...made.data } }
  }

  async function holdAgain(hand: Hand, goals: readonly KeptGoal[], { goal }: KeptGoal) {
    const before = nodesOf(goals)
    const after = before.map((node) => (node.id === goal.id ? goalNode(goal) : node))
    const { hold: held, release } = changedHolds(before, after)
    if (held.length > 0) await hold(hand, held, true)
    if (release.length > 0) await hold(hand, release, false)
    return { held: held.length, released: release.length }
  }

  /** The books keep money on their own; a failure is told, since the goal is changed by then. */
  async function keepMoney(id: string, before: number | undefined, after: number | undefined, actor: Actor) {
    if (before !== after) await setBudget(id, after ?? null, actor)
  }

  async function remove(actor: Actor, id: string) {
    const { value, ledger } = await act(async (hand) => {
      const { record, goal } = await knownGoal(hand, id)
      const under = goalsUnder(id, nodesOf(await goalsIn(hand))).length
      if (under > 0)
        throw new CountersignError(
          'conflict',
          `${under === 1 ? 'A goal stands' : `${under} goals stand`} under it.`,
          {
            next: 'Remove or move those first, or put it away with `countersign goal set <id> --status archived`.',
          },
        )
      const live = await hand.db
        .selectFrom('runs')
        .select('id')
        .where('goal', '=', id)
        .where('state', '<>', 'stopped')
        .limit(1)
        .executeTakeFirst()
      if (live)
        throw new CountersignError('conflict', `${live.id} works for it.`, {
          next: `Stop it first with \`countersign run stop ${live.id}\`.`,
        })
      for (const step of await stepsIn(hand, id))
        await hand.records.remove(stepsCollection, step.record.id, step.record.version)
      await hand.records.remove(goalsCollection, id, record.version)
      if (goal.held) await hold(hand, [id], false)
      hand.record({ type: 'goal.removed', actor, data: { goal: id, title: goal.title } })
      return goal
    })
    await keepMoney(id, value.limits.moneyPerDayUsd, undefined, actor)
    return ledger
  }

  async function addStep(actor: Actor, id: string, step: AddStep) {
    const { value, ledger } = await act(async (hand) => {
      const found = await knownGoal(hand, id)
      const steps = await stepsIn(hand, id)
      if (steps.length >= mostGoalSteps) throw usage(`A goal has at most ${mostGoalSteps} steps.`)
      const order = Math.max(0, ...steps.map((each) => each.step.order + 1))
      const stepId = newId('step')
      const bare = {
        id: stepId,
        goalId: id,
        title: step.title,
        status: 'pending',
        order,
        dependsOn: [],
      } as const
      const { title, ...rest } = step
      const data = settled(
        changedStep(
          { ...bare, dependsOn: [] },
          rest,
          steps.map((each) => each.step),
          hand.now,
        ),
      )
      const record = await hand.records.insert(stepsCollection, stepId, stepData(data), null)
      const own: KeptStep = { record, step: { id: stepId, ...data } }
      await reckon(hand, found, [...steps, own])
      hand.record({ type: 'goal.step_added', actor, data: { goal: id, step: stepId, title } })
      return stepView(own, [...steps, own])
    })
    return { step: value, ledger }
  }

  async function setStep(actor: Actor, id: string, stepId: string, change: StepChange) {
    const { value, ledger } = await act(async (hand) => {
      const found = await knownGoal(hand, id)
      const steps = await stepsIn(hand, id)
      const before = knownStep(steps, id, stepId)
      const data = settled(
        changedStep(
          before.step,
          change,
          steps.map((each) => each.step),
          hand.now,
        ),
      )
      const { version, label } = before.record
      const record = await hand.records.replace(stepsCollection, stepId, version, stepData(data), label)
      const own: KeptStep = { record, step: { id: stepId, ...data } }
      const all = steps.map((each) => (each === before ? own : each))
      await reckon(hand, found, all)
      hand.record({
        type: 'goal.step_changed',
        actor,
        data: { goal: id, step: stepId, title: data.title, status: data.status },
      })
      return stepView(own, all)
    })
    return { step: value, ledger }
  }

  async function removeStep(actor: Actor, id: string, stepId: string) {
    const { ledger } = await act(async (hand) => {
      const found = await knownGoal(hand, id)
      const steps = await stepsIn(hand, id)
      const { record, step } = knownStep(steps, id, stepId)
      await hand.records.remove(stepsCollection, stepId, record.version)
      const left = steps.filter((each) => each.step.id !== stepId)
      for (const each of left.filter((other) => other.step.dependsOn.includes(stepId))) {
        const { id: own, ...data } = each.step
        const dependsOn = data.dependsOn.filter((other) => other !== stepId)
        const { version, label } = each.record
        await hand.records.replace(stepsCollection, own, version, stepData({ ...data, dependsOn }), label)
      }
      await reckon(hand, found, left)
      hand.record({ type: 'goal.step_removed', actor, data: { goal: id, step: stepId, title: step.title } })
    })
    return ledger
  }

  /** The progress follows the steps, where there are any. */
  async function reckon(hand: Hand, { record, goal }: KeptGoal, steps: readonly KeptStep[]): Promise<void> {
    const progress = stepProgress(steps.map(({ step }) => step))
    if (progress === undefined || progress === goal.progress || !openGoalStates.includes(goal.status)) return
    const { id, ...data } = goal
    await hand.records.replace(
      goalsCollection,
      id,
      record.version,
      goalData({ ...data, progress }),
      record.label,
    )
  }

  async function addEntry(actor: Actor, id: string, list: Entries, { text }: AddGoalEntry) {
    const { value, ledger } = await act(async (hand) => {
      const { record, goal } = await knownGoal(hand, id)
      const { id: _, ...data } = goal
      const entry: GoalEntry = {
        id: newId('entry'),
        text,
        at: hand.now.toISOString(),
        by: 'operator',
        label: null,
      }
      const after = goalData(withEntry(data, list, entry))
      await hand.records.replace(goalsCollection, id, record.version, after, record.label)
      hand.record({ type: `goal.${entryWord[list]}_added`, actor, data: { goal: id, entry: entry.id } })
      return entry
    })
    return { entry: value, ledger }
  }

  async function removeEntry(actor: Actor, id: string, list: Entries, entryId: string) {
    const { ledger } = await act(async (hand) => {
      const { record, goal } = await knownGoal(hand, id)
      const { id: _, ...data } = goal
      const left = data[list].filter((entry) => entry.id !== entryId)
      if (left.length === data[list].length)
        throw new CountersignError('not_found', `There is no ${entryWord[list]} ${entryId} in this goal.`, {
          next: seeGoal(id),
        })
      await hand.records.replace(
        goalsCollection,
        id,
        record.version,
        goalData({ ...data, [list]: left }),
        record.label,
      )
      hand.record({ type: `goal.${entryWord[list]}_removed`, actor, data: { goal: id, entry: entryId } })
    })
    return ledger
  }

  return {
    add,
    set,
    remove,
    addStep,
    setStep,
    removeStep,
    addEntry,
    removeEntry,
    pause: (actor: Actor, id: string) => set(actor, id, { status: 'paused' }),
    resume: (actor: Actor, id: string) => set(actor, id, { status: 'active' }),
    done: (actor: Actor, id: string) => set(actor, id, { status: 'completed' }),
    list: ({
      status,
      all = false,
    }: {
      readonly status?: Goal['status']
      readonly all?: boolean
    } = {}): Promise<GoalView[]> =>
      records.read(operator, async (hand) => {
        const wanted = (goal: Goal) =>
          status === undefined ? all || openGoalStates.includes(goal.status) : goal.status === status
        return (await goalsIn(hand))
          .filter(({ goal }) => wanted(goal))
          .map((each) => goalView(each, house.clock()))
      }),
    show: (id: string) => records.read(operator, (hand) => detailOf(hand, id, house.clock(), zone)),
    board: () => records.read(operator, (hand) => boardOf(hand, house.clock(), zone)),
  }
}

const entryWord: Readonly<Record<Entries, string>> = { notes: 'note', learnings: 'learning' }

/** The state that it came into names the entry. */
function entryOf(before: Goal, after: Goal): string {
  if (before.status === after.status) return 'goal.changed'
  if (after.status === 'active') return 'goal.resumed'
  return `goal.${after.status}`
}

function limitsOf({ limits }: Goal): JsonObject {
  return { ...limits } as JsonObject
}

function settled(made: { kind: 'made'; data: GoalStep } | { kind: 'invalid'; reason: string }): GoalStep {
  if (made.kind === 'invalid') throw usage(made.reason)
  return made.data
}

function knownStep(steps: readonly KeptStep[], goal: string, id: string): KeptStep {
  const found = steps.find(({ step }) => step.id === id)
  if (!found)
    throw new CountersignError('not_found', `There is no step ${id} in this goal.`, { next: seeGoal(goal) })
  return found
}

const seeGoal = (id: string): string => `See it with \`countersign goal show ${id}\`.`

function usage(message: string): CountersignError {
  return new CountersignError('usage', message, { next: 'List goals with `countersign goal list --all`.' })
}
