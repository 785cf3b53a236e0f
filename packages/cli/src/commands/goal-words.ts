/** Lays goals out for a person: a list, a board, and one goal with all that belongs to it. */
import {
  type AgentTaskView,
  type GoalBoard,
  type GoalCard,
  type GoalDetail,
  type GoalEntry,
  type GoalView,
  type StepView,
  tierName,
} from '@countersign/contract'
import type { Context } from '../context.ts'
import { gauge } from '../output/bar.ts'
import { columns, indent } from '../output/columns.ts'
import { money } from '../output/money.ts'
import { line, lines } from '../output/safe-text.ts'
import { table, wrapped } from '../output/table.ts'
import { ago, clockTime, until } from '../output/time.ts'
import { shortId } from '../short-id.ts'
import { limitRows } from './goal-limits.ts'

export const noGoals = 'No goal yet. Add one with `countersign goal add "Learn Danish" --due 2026-12-31`.'

const gaugeWidth = 10
const widestLine = 100
const stepMark: Readonly<Record<StepView['status'], string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  skipped: '[-]',
  blocked: '[!]',
}

/** The most urgent first, and each goal above those that stand under it. */
export function goalTable(goals: readonly GoalView[], context: Context): string {
  const rows = inTree(goals).map(({ goal, depth }) => [
    `${'  '.repeat(depth)}${line(goal.title)}`,
    shortId(goal.id),
    goal.status,
    String(goal.priority),
    `${goal.progress} %`,
    dueWords(goal, context),
  ])
  return table(['Goal', 'Id', 'State', 'Priority', 'Done', 'Due'], rows, context.host.output.columns)
}

export function boardText(board: GoalBoard, context: Context): string {
  return board.columns
    .map(({ title, cards }) => {
      const head = context.paint('strong', `${title} (${cards.length})`)
      return cards.length === 0
        ? head
        : [head, ...cards.map((card) => indent(cardText(card, context)))].join('\n')
    })
    .join('\n\n')
}

export function detailText(detail: GoalDetail, context: Context): string {
  const { card, steps, subGoals, tasks } = detail
  const { goal } = card
  const parts: (readonly [string, string])[] = [
    ['Limits', columns(limitRows(goal.limits))],
    ['Steps', columns(steps.map((step, at) => stepRow(step, at)))],
    ['Goals under it', subGoals.length === 0 ? '' : goalTable(subGoals, context)],
    ['Tasks of agents', columns(tasks.map((task) => taskRow(task, context)))],
    ['Notes', entries(goal.notes, context)],
    ['Learnings', entries(goal.learnings, context)],
  ]
  return [
    context.paint('strong', [...card.path, goal.title].map(line).join(' › ')),
    columns([
      ['Id', goal.id],
      ['State', stateWords(card)],
      ['Done', `${gauge(goal.progress / 100, gaugeWidth, isPlain(context))} ${goal.progress} %`],
      ['Priority', `${goal.priority} of 10`],
      ...(goal.due === undefined ? [] : [['Due', dueWords(goal, context)]]),
      ...(goal.checkInHours === undefined ? [] : [['Check-in', `after ${goal.checkInHours} h without work`]]),
      ['Spent today', moneyWords(card)],
      ...(goal.label?.integrity === 'untrusted'
        ? [['From', `untrusted content: ${goal.label.sources.map(line).join(', ') || 'unknown'}`]]
        : []),
      ['Conversation', shortId(goal.session)],
    ]),
    ...askLines(card, context),
    ...(goal.description === undefined ? [] : ['', prose(goal.description, context)]),
    ...parts.flatMap(([title, text]) =>
      text === '' ? [] : ['', context.paint('strong', title), indent(text)],
    ),
  ].join('\n')
}

function cardText(card: GoalCard, context: Context): string {
  const { goal } = card
  const facts = [
    `${goal.progress} %`,
    `priority ${goal.priority}`,
    ...(goal.due === undefined ? [] : [`due ${dueWords(goal, context)}`]),
    ...(card.agentsRunning === 0 ? [] : [`${card.agentsRunning} at work`]),
    ...(card.tierMax === null ? [] : [`up to “${tierName[card.tierMax]}”`]),
    ...(card.spentTodayUsd === 0 && card.moneyPerDayUsd === null ? [] : [moneyWords(card)]),
    ...(goal.limits.tools === undefined ? [] : [`${goal.limits.tools.length} tools`]),
  ]
  return [
    [...card.path, goal.title].map(line).join(' › '),
    indent(
      [
        facts.join(' · '),
        ...(card.nextStep === null ? [] : [`Next: ${line(card.nextStep)}`]),
        ...(card.lastOutcome === null || card.lastOutcome.reason === 'completed'
          ? []
          : [`Last time: ${line(card.lastOutcome.message)}`]),
        ...(card.heldBy === null ? [] : [`Held by “${line(card.heldBy)}”.`]),
        ...askLines(card, context),
      ].join('\n'),
    ),
  ].join('\n')
}

function askLines({ asks, stuckSince, goal }: GoalCard, context: Context): string[] {
  return [
    ...asks.map(({ kind, ref, text }) =>
      context.paint(
        2,
        kind === 'approval'
          ? `Needs your approval: ${line(text)}  \`countersign approval show ${line(ref)}\``
          : `Asks you: ${line(text)}  \`countersign question answer ${line(ref)} "…"\``,
      ),
    ),
    ...(stuckSince === null
      ? []
      : [
          context.paint(
            'bad',
            `It has made no progress since ${clockTime(stuckSince, context.moment())}. See \`countersign run list\`, or pause it with \`countersign goal pause ${shortId(goal.id)}\`.`,
          ),
        ]),
  ]
}

function stateWords({ goal, heldBy, agentsRunning }: GoalCard): string {
  const held = heldBy === null ? '' : `, held by “${line(heldBy)}”`
  return `${goal.status}${held}${agentsRunning === 0 ? '' : `, ${agentsRunning} at work`}`
}

function moneyWords({ spentTodayUsd, moneyPerDayUsd }: GoalCard): string {
  return moneyPerDayUsd === null
    ? money(spentTodayUsd)
    : `${money(spentTodayUsd)} of ${money(moneyPerDayUsd)}`
}

function dueWords({ due, overdue }: GoalView, context: Context): string {
  if (due === undefined) return ''
  return overdue ? context.paint('bad', `${due}, overdue`) : due
}

function stepRow(step: StepView, at: number): string[] {
  const waits = step.status === 'pending' && !step.ready ? '  (waits for others)' : ''
  return [stepMark[step.status], `${at + 1}.`, `${line(step.title)}${waits}`, step.id]
}

function taskRow(task: AgentTaskView, context: Context): string[] {
  return [task.id, taskState(task, context), line(task.title)]
}

/** With the countdown to the next attempt. */
export function taskState({ status, nextRetryAt, attempts }: AgentTaskView, context: Context): string {
  if (status !== 'paused' || nextRetryAt === null) return status
  const left = until(nextRetryAt, context.moment())
  return `paused, ${left === 'over' ? 'tried again soon' : `tried again in ${left}`} (attempt ${attempts + 1})`
}

function entries(list: readonly GoalEntry[], context: Context): string {
  return list
    .toReversed()
    .map(({ text, at, by, label }, place) => {
      const from = label?.integrity === 'untrusted' ? `, from ${label.sources.map(line).join(', ')}` : ''
      return `${place + 1}  ${context.paint('quiet', `${ago(at, context.moment())}, ${line(by)}${from}`)}\n${indent(lines(text), '   ')}`
    })
    .join('\n')
}

function prose(text: string, context: Context): string {
  const width = Math.min(widestLine, context.host.output.columns ?? widestLine)
  return lines(text)
    .split('\n')
    .flatMap((each) => wrapped(each, width))
    .join('\n')
}

const isPlain = (context: Context): boolean => context.flags.plain || context.host.environment.dumbTerminal

function inTree(goals: readonly GoalView[]): { goal: GoalView; depth: number }[] {
  const ids = new Set(goals.map(({ id }) => id))
  const below = (parent: string | undefined, depth: number): { goal: GoalView; depth: number }[] =>
    goals
      .filter(({ parentId }) =>
        parent === undefined ? parentId === undefined || !ids.has(parentId) : parentId === parent,
      )
      .toSorted(
        (left, right) => right.priority - left.priority || (left.due ?? '~').localeCompare(right.due ?? '~'),
      )
      .flatMap((goal) => [{ goal, depth }, ...below(goal.id, depth + 1)])
  return below(undefined, 0)
}
