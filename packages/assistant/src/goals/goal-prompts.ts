/** Owns what of goals and tasks an agent is told before its first word, each part with what it is worth. */
import {
  type GoalEntry,
  goalFrom,
  joinLabels,
  type Label,
  openGoalStates,
  readySteps,
  taskFrom,
} from '@countersign/contract'
import type { AssistantTransaction } from '../assistant-context.ts'
import { tasksCollection } from '../tasks/task-records.ts'
import { goalsCollection, goalsIn, stepsIn } from './goal-records.ts'

type RecordReader = Pick<AssistantTransaction, 'records'>

/** What a record is worth that remembers nothing else. */
const ownRecord: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }

/** One goal with its steps, the newest notes and learnings first. */
export async function goalForPrompt(tx: RecordReader, id: string) {
  const record = await tx.records.get(goalsCollection, id)
  if (!record) return undefined
  const goal = goalFrom(record)
  const steps = await stepsIn(tx, id)
  return {
    id,
    title: goal.title,
    description: goal.description ?? '',
    label: goal.ownLabel ?? ownRecord,
    steps: steps.map((each) => ({
      title: each.step.title,
      status: each.step.status,
      label: each.record.label ?? ownRecord,
    })),
    notes: goal.notes.toReversed().map(entryForPrompt),
    learnings: goal.learnings.toReversed().map(entryForPrompt),
  }
}

/** Goals that somebody still wants, the most urgent first, with what comes next in each. */
export async function goalLines(tx: RecordReader, limit: number) {
  const goals = (await goalsIn(tx))
    .filter(({ goal }) => openGoalStates.includes(goal.status))
    .toSorted((left, right) => right.goal.priority - left.goal.priority)
    .slice(0, limit)
  if (goals.length === 0) return []
  const steps = await stepsIn(tx)
  return goals.map(({ goal }) => {
    const own = steps.filter(({ step }) => step.goalId === goal.id)
    const [next] = readySteps(own.map(({ step }) => step))
    const nextLabel = own.find(({ step }) => step.id === next?.id)?.record.label ?? ownRecord
    return {
      id: goal.id,
      title: goal.title,
      status: goal.status,
      ...(next ? { next: next.title } : {}),
      label: joinLabels(goal.ownLabel ?? ownRecord, nextLabel),
    }
  })
}

/** The instructions of a task; undefined for what is no task. */
export async function taskForPrompt(tx: RecordReader, id: string) {
  const record = await tx.records.get(tasksCollection, id)
  if (!record) return undefined
  const { title, instructions } = taskFrom(record)
  return { text: `${title}\n${instructions}`, label: record.label ?? ownRecord }
}

function entryForPrompt({ text, label }: GoalEntry) {
  return { text, label: label ?? ownRecord }
}
