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
  withChangedEntry,
  withEntry,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { boardOf, detailOf } from './board.ts'
import {
  type GoalRecord,
  type GoalStepRecord,
  goalsCollection,
  goalsIn,
  goalView,
  knownGoal,
  nodesOf,
  stepsCollection,
  stepsIn,
  stepView,
} from './goal-records.ts'

export interface GoalsOptions {
  readonly context: AssistantContext
  /** Holds all work under these goals, or lets it go on, once the transaction is committed. */
  readonly hold: (tx: AssistantTransaction, ids: readonly string[], held: boolean) => Promise<void>
  /** Keeps the money of a goal; null takes the limit away. */
  readonly setBudget: (goal: string, usdPerDay: number | null, actor: Actor) => Promise<unknown>
}

export type Goals = ReturnType<typeof createGoals>

type EntryList = 'notes' | 'learnings'

export function createGoals({ context, hold, setBudget }: GoalsOptions) {
  const { operator, records, zone, uuid } = context
  const act = <T>(work: (tx: AssistantTransaction) => Promise<T>) => records.change(operator, work)
  const newId = (prefix: string) => `${prefix}_${uuid().replaceAll('-', '')}`

  async function add(actor: Actor, given: NewGoal) {
    const { value, ledger } = await act(async (tx) => {
      const goals = await goalsIn(tx)
      if (goals.length >= mostGoals) throw usage(`There are at most ${mostGoals} goals.`)
      const problem = goalParentProblem(null, given.parentId ?? null, nodesOf(goals))
      if (problem !== undefined) throw usage(problem)
      const id = newId('goal')
      const data = newGoal(given, idFrom('ses', uuid()))
      const record = await tx.records.insert(goalsCollection, id, goalData(data), null)
      if (given.parentId !== undefined && heldGoals(nodesOf(goals)).has(given.parentId))
        await hold(tx, [id], true)
      tx.record({
        type: 'goal.added',
        actor,
        data: { goal: id, title: data.title, limits: limitsOf(data) },
      })
      return goalView({ record, goal: { id, ...data } }, tx.now)
    })
    await keepMoney(value.id, undefined, value.limits.moneyPerDayUsd, actor)
    return { goal: value, ledger }
  }

  async function set(actor: Actor, id: string, change: GoalChange) {
    const { value, ledger } = await act(async (tx) => {
      const goals = await goalsIn(tx)
      const before = await knownGoal(tx, id)
      if (change.parentId !== undefined) {
        const problem = goalParentProblem(id, change.parentId, nodesOf(goals))
        if (problem !== undefined) throw usage(problem)
      }
      const after = await write(tx, before, change)
      const held = await holdAgain(tx, goals, after)
      const limits = change.limits
        ? { limits: limitsOf(after.goal), limitsBefore: limitsOf(before.goal) }
        : {}
      tx.record({
        type: entryOf(before.goal, after.goal),
        actor,
        data: { goal: id, title: after.goal.title, changed: Object.keys(change), ...limits, ...held },
      })
      return { before: before.goal, view: goalView(after, tx.now), goals: held.held + held.released }
    })
    await keepMoney(id, value.before.limits.moneyPerDayUsd, value.view.limits.moneyPerDayUsd, actor)
    return { goal: value.view, goals: value.goals, ledger }
  }

  async function write(
    tx: AssistantTransaction,
    { record, goal }: GoalRecord,
    change: GoalChange,
  ): Promise<GoalRecord> {
    const { id, ...before } = goal
    const made = changedGoal(before, change, tx.now)
    if (made.kind === 'invalid') throw new CountersignError('conflict', made.reason, { next: seeGoal(id) })
    const after = await tx.records.replace(
      goalsCollection,
      id,
      record.version,
      goalData(made.data),
      record.label,
    )
    return { record: after, goal: { id, ...made.data } }
  }

  async function holdAgain(tx: AssistantTransaction, goals: readonly GoalRecord[], { goal }: GoalRecord) {
    const before = nodesOf(goals)
    const after = before.map((node) => (node.id === goal.id ? goalNode(goal) : node))
    const { hold: held, release } = changedHolds(before, after)
    if (held.length > 0) await hold(tx, held, true)
    if (release.length > 0) await hold(tx, release, false)
    return { held: held.length, released: release.length }
  }

  /** The books keep money on their own; a failure is told, since the goal is changed by then. */
  async function keepMoney(id: string, before: number | undefined, after: number | undefined, actor: Actor) {
    if (before !== after) await setBudget(id, after ?? null, actor)
  }

  async function remove(actor: Actor, id: string) {
    const { value, ledger } = await act(async (tx) => {
      const { record, goal } = await knownGoal(tx, id)
      const under = goalsUnder(id, nodesOf(await goalsIn(tx))).length
      if (under > 0)
        throw new CountersignError(
          'conflict',
          `${under === 1 ? 'A goal stands' : `${under} goals stand`} under it.`,
          {
            next: 'Remove or move those first, or archive it with `countersign goal set <id> --status archived`.',
          },
        )
      const live = await tx.db
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
      for (const step of await stepsIn(tx, id))
        await tx.records.remove(stepsCollection, step.record.id, step.record.version)
      await tx.records.remove(goalsCollection, id, record.version)
      if (goal.held) await hold(tx, [id], false)
      tx.record({ type: 'goal.removed', actor, data: { goal: id, title: goal.title } })
      return goal
    })
    await keepMoney(id, value.limits.moneyPerDayUsd, undefined, actor)
    return ledger
  }

  async function addStep(actor: Actor, id: string, step: AddStep) {
    const { value, ledger } = await act(async (tx) => {
      const found = await knownGoal(tx, id)
      const steps = await stepsIn(tx, id)
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
          tx.now,
        ),
      )
      const record = await tx.records.insert(stepsCollection, stepId, stepData(data), null)
      const own: GoalStepRecord = { record, step: { id: stepId, ...data } }
      await reckon(tx, found, [...steps, own])
      tx.record({ type: 'goal.step_added', actor, data: { goal: id, step: stepId, title } })
      return stepView(own, [...steps, own])
    })
    return { step: value, ledger }
  }

  async function setStep(actor: Actor, id: string, stepId: string, change: StepChange) {
    const { value, ledger } = await act(async (tx) => {
      const found = await knownGoal(tx, id)
      const steps = await stepsIn(tx, id)
      const before = knownStep(steps, id, stepId)
      const data = settled(
        changedStep(
          before.step,
          change,
          steps.map((each) => each.step),
          tx.now,
        ),
      )
      const { version, label } = before.record
      const record = await tx.records.replace(stepsCollection, stepId, version, stepData(data), label)
      const own: GoalStepRecord = { record, step: { id: stepId, ...data } }
      const all = steps.map((each) => (each === before ? own : each))
      await reckon(tx, found, all)
      tx.record({
        type: 'goal.step_changed',
        actor,
        data: { goal: id, step: stepId, title: data.title, status: data.status },
      })
      return stepView(own, all)
    })
    return { step: value, ledger }
  }

  async function removeStep(actor: Actor, id: string, stepId: string) {
    const { ledger } = await act(async (tx) => {
      const found = await knownGoal(tx, id)
      const steps = await stepsIn(tx, id)
      const { record, step } = knownStep(steps, id, stepId)
      await tx.records.remove(stepsCollection, stepId, record.version)
      const left = steps.filter((each) => each.step.id !== stepId)
      for (const each of left.filter((other) => other.step.dependsOn.includes(stepId))) {
        const { id: own, ...data } = each.step
        const dependsOn = data.dependsOn.filter((other) => other !== stepId)
        const { version, label } = each.record
        await tx.records.replace(stepsCollection, own, version, stepData({ ...data, dependsOn }), label)
      }
      await reckon(tx, found, left)
      tx.record({ type: 'goal.step_removed', actor, data: { goal: id, step: stepId, title: step.title } })
    })
    return ledger
  }

  /** The progress follows the steps, where there are any. */
  async function reckon(
    tx: AssistantTransaction,
    { record, goal }: GoalRecord,
    steps: readonly GoalStepRecord[],
  ): Promise<void> {
    const progress = stepProgress(steps.map(({ step }) => step))
    if (progress === undefined || progress === goal.progress || !openGoalStates.includes(goal.status)) return
    const { id, ...data } = goal
    await tx.records.replace(
      goalsCollection,
      id,
      record.version,
      goalData({ ...data, progress }),
      record.label,
    )
  }

  async function addEntry(actor: Actor, id: string, list: EntryList, { text }: AddGoalEntry) {
    const { value, ledger } = await act(async (tx) => {
      const { record, goal } = await knownGoal(tx, id)
      const { id: _, ...data } = goal
      const entry: GoalEntry = {
        id: newId('entry'),
        text,
        at: tx.now.toISOString(),
        by: 'operator',
        label: null,
      }
      const after = goalData(withEntry(data, list, entry))
      await tx.records.replace(goalsCollection, id, record.version, after, record.label)
      tx.record({ type: `goal.${entryWord[list]}_added`, actor, data: { goal: id, entry: entry.id } })
      return entry
    })
    return { entry: value, ledger }
  }

  async function setEntry(
    actor: Actor,
    id: string,
    { list, entry }: { readonly list: EntryList; readonly entry: string },
    { text }: AddGoalEntry,
  ) {
    const { value, ledger } = await act(async (tx) => {
      const { record, goal } = await knownGoal(tx, id)
      const { id: _, ...data } = goal
      // The operator's own words now, whoever wrote the first.
      const after = withChangedEntry(data, list, entry, { text, label: null })
      const changed = after?.[list].find((each) => each.id === entry)
      if (!after || !changed) throw missingEntry(list, entry, id)
      await tx.records.replace(goalsCollection, id, record.version, goalData(after), record.label)
      tx.record({ type: `goal.${entryWord[list]}_changed`, actor, data: { goal: id, entry } })
      return changed
    })
    return { entry: value, ledger }
  }

  async function removeEntry(actor: Actor, id: string, list: EntryList, entryId: string) {
    const { ledger } = await act(async (tx) => {
      const { record, goal } = await knownGoal(tx, id)
      const { id: _, ...data } = goal
      const after = withChangedEntry(data, list, entryId, null)
      if (!after) throw missingEntry(list, entryId, id)
      await tx.records.replace(goalsCollection, id, record.version, goalData(after), record.label)
      tx.record({ type: `goal.${entryWord[list]}_removed`, actor, data: { goal: id, entry: entryId } })
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
    setEntry,
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
      records.read(operator, async (tx) => {
        const wanted = (goal: Goal) =>
          status === undefined ? all || openGoalStates.includes(goal.status) : goal.status === status
        return (await goalsIn(tx))
          .filter(({ goal }) => wanted(goal))
          .map((each) => goalView(each, context.clock()))
      }),
    show: (id: string) => records.read(operator, (tx) => detailOf(tx, id, context.clock(), zone)),
    board: () => records.read(operator, (tx) => boardOf(tx, context.clock(), zone)),
  }
}

const entryWord: Readonly<Record<EntryList, string>> = { notes: 'note', learnings: 'learning' }

function missingEntry(list: EntryList, entry: string, goal: string): CountersignError {
  return new CountersignError('not_found', `There is no ${entryWord[list]} ${entry} in this goal.`, {
    next: seeGoal(goal),
  })
}

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

function knownStep(steps: readonly GoalStepRecord[], goal: string, id: string): GoalStepRecord {
  const found = steps.find(({ step }) => step.id === id)
  if (!found)
    throw new CountersignError('not_found', `There is no step ${id} in this goal.`, { next: seeGoal(goal) })
  return found
}

const seeGoal = (id: string): string => `See it with \`countersign goal show ${id}\`.`

function usage(message: string): CountersignError {
  return new CountersignError('usage', message, { next: 'List goals with `countersign goal list --all`.' })
}
