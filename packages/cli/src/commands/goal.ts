/** `countersign goal`: what you want to reach, how far it is, and how far work for it may go. */
import { type GoalChange, GoalCheckIn, GoalStatus, type GoalView } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { parseDuration } from '../duration.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { shortId } from '../short-id.ts'
import { limitsIn } from './goal-limits.ts'
import { editEntries, removeParts } from './goal-removal.ts'
import { boardText, detailText, goalTable, noGoals } from './goal-words.ts'

export const list: Handler = async (context, _args, options) => {
  const status = statusIn(options)
  if (status === 'wrong') return usage(wrongStatus, 'goal list')
  const { client } = await context.gateway()
  const goals = await client.goals({
    ...(status === undefined ? {} : { status }),
    ...(options['all'] === true ? { all: 'true' } : {}),
  })
  return done({ goals }, () => {
    if (goals.length > 0) return goalTable(goals, context)
    if (status !== undefined) return `No goal is ${status}. See all with \`countersign goal list --all\`.`
    return options['all'] === true
      ? noGoals
      : `${noGoals}\nInclude ended goals with \`countersign goal list --all\`.`
  })
}

export const board: Handler = async (context) => {
  const shown = await (await context.gateway()).client.goalBoard()
  return done({ ...shown }, () =>
    shown.columns.every(({ cards }) => cards.length === 0) ? noGoals : boardText(shown, context),
  )
}

export const add: Handler = async (context, [title = ''], options) => {
  const { client } = await context.gateway()
  const change = await changeIn(context, client, options)
  if (typeof change === 'string') return usage(change, 'goal add')
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null))
  const limits = Object.fromEntries(Object.entries(change.limits ?? {}).filter(([, value]) => value !== null))
  const { goal, ledger } = await client.addGoal({
    ...given,
    title,
    ...(change.limits ? { limits } : {}),
  })
  return done({ goal, ledger }, () =>
    [
      `Added “${line(goal.title)}” as ${shortId(goal.id)}.${ledgerMark(ledger)}`,
      `Break it into steps with \`countersign goal set ${shortId(goal.id)} --step "…"\`, or ask the agent to.`,
    ].join('\n'),
  )
}

export const show: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const found = await goalNamed(client, ref)
  if (typeof found !== 'string') return found
  const detail = await client.goal(found)
  return done({ ...detail }, () => detailText(detail, context))
}

export const set: Handler = async (context, [ref = ''], options) => {
  const status = statusIn(options)
  if (status === 'wrong') return usage(wrongStatus, 'goal set')
  const progress = numberIn(options['progress'], 0, 100)
  if (progress === 'wrong') return usage('--progress is a number from 0 to 100.', 'goal set')
  const { client } = await context.gateway()
  const id = await goalNamed(client, ref)
  if (typeof id !== 'string') return id
  const change = await changeIn(context, client, options)
  if (typeof change === 'string') return usage(change, 'goal set')
  const whole: GoalChange = {
    ...change,
    ...(typeof options['title'] === 'string' ? { title: options['title'] } : {}),
    ...(status === undefined ? {} : { status }),
    ...(progress === undefined ? {} : { progress }),
  }
  const told = await changeAll(client, id, whole, options)
  if (typeof told !== 'object') return usage(told, 'goal set')
  if (told.words.length === 0) return usage('Say what to change, for example --priority 9.', 'goal set')
  const { ledger } = told
  return done({ goal: id, changed: told.words, ledger }, `${told.words.join('\n')}${ledgerMark(ledger)}`)
}

export const pause: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const id = await goalNamed(client, ref)
  if (typeof id !== 'string') return id
  const { goal, goals, ledger } = await client.pauseGoal(id)
  const others = goals > 1 ? ` and ${goals - 1} under it` : ''
  return done({ goal, goals, ledger }, () =>
    [
      `“${line(goal.title)}”${others} is paused: no work runs for it.${ledgerMark(ledger)}`,
      `Resume it with \`countersign goal resume ${shortId(goal.id)}\`.`,
    ].join('\n'),
  )
}

export const resume: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const id = await goalNamed(client, ref)
  if (typeof id !== 'string') return id
  const { goal, goals, ledger } = await client.resumeGoal(id)
  const { card } = await client.goal(id)
  return done({ goal, goals, ledger }, () =>
    card.heldBy === null
      ? `“${line(goal.title)}” goes on.${ledgerMark(ledger)}`
      : `“${line(goal.title)}” is active again, but still held by “${line(card.heldBy)}”, which is paused.${ledgerMark(ledger)}`,
  )
}

export const complete: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const id = await goalNamed(client, ref)
  if (typeof id !== 'string') return id
  const { goal, ledger } = await client.finishGoal(id)
  return done({ goal, ledger }, `“${line(goal.title)}” is done.${ledgerMark(ledger)}`)
}

export const remove: Handler = async (context, [ref = ''], options) => {
  const { client } = await context.gateway()
  const id = await goalNamed(client, ref)
  if (typeof id !== 'string') return id
  if (options['yes'] !== true) {
    const { card, steps } = await client.goal(id)
    return failed({
      type: 'usage',
      message: `This removes “${line(card.goal.title)}” with ${steps.length} steps, ${card.goal.notes.length} notes and ${card.goal.learnings.length} learnings, permanently.`,
      next: `Confirm with \`countersign goal rm ${id} --yes\`, or archive it with \`countersign goal set ${id} --status archived\`.`,
      exit: 2,
    })
  }
  const { ledger } = await client.removeGoal(id)
  return done({ goal: id, ledger }, `Removed ${line(id)}.${ledgerMark(ledger)}`)
}

/** One thing after the other; the last ledger number stands for all. */
async function changeAll(client: Client, id: string, change: GoalChange, options: OptionValues) {
  const words: string[] = []
  let ledger = 0
  if (Object.keys(change).length > 0) {
    const changed = await client.setGoal(id, change)
    ledger = changed.ledger
    words.push(`Changed “${line(changed.goal.title)}”: ${Object.keys(change).join(', ')}.`)
  }
  const { note, learning, step, stepDone } = options
  const edited = await editEntries(client, id, options)
  if (typeof edited === 'string') return edited
  ledger = edited.ledger || ledger
  words.push(...edited.words)
  if (typeof note === 'string' && options['editNote'] === undefined) {
    ledger = (await client.addGoalNote(id, { text: note })).ledger
    words.push('Added the note.')
  }
  if (typeof learning === 'string' && options['editLearning'] === undefined) {
    ledger = (await client.addGoalLearning(id, { text: learning })).ledger
    words.push('Added the learning for later work.')
  }
  if (typeof step === 'string') {
    const added = await client.addGoalStep(id, { title: step })
    ledger = added.ledger
    words.push(`Added the step “${line(added.step.title)}”.`)
  }
  if (typeof stepDone === 'string') {
    const { steps } = await client.goal(id)
    const found = steps.find((each, at) => each.id === stepDone || String(at + 1) === stepDone)
    if (!found)
      return `There is no step ${line(stepDone)}; \`countersign goal show ${shortId(id)}\` numbers them.`
    ledger = (await client.setGoalStep(id, found.id, { status: 'completed' })).ledger
    words.push(`“${line(found.title)}” is done.`)
  }
  const removed = await removeParts(client, id, options)
  if (typeof removed === 'string') return removed
  return { words: [...words, ...removed.words], ledger: removed.ledger || ledger }
}

/** A sentence when an option is not what it should be. */
async function changeIn(
  context: Context,
  client: Client,
  options: OptionValues,
): Promise<GoalChange | string> {
  const priority = numberIn(options['priority'], 1, 10)
  if (priority === 'wrong') return '--priority is a number from 1 to 10.'
  const limits = limitsIn(options, context.moment().zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  if (typeof limits === 'string') return limits
  const checkInHours = hoursIn(options['checkIn'])
  if (checkInHours === 'wrong')
    return '--check-in is a time in whole hours from 1h to 24d, such as 24h, or none.'
  const { brief, due, parent } = options
  const above = typeof parent === 'string' && parent !== 'none' ? await goalNamed(client, parent) : parent
  if (typeof above === 'object') return `There is no goal ${line(String(parent))} to be the parent.`
  return {
    ...(typeof brief === 'string' ? { description: brief === '' ? null : brief } : {}),
    ...(typeof due === 'string' ? { due: due === 'none' ? null : due } : {}),
    ...(typeof above === 'string' ? { parentId: above === 'none' ? null : above } : {}),
    ...(priority === undefined ? {} : { priority }),
    ...(checkInHours === undefined ? {} : { checkInHours }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}

/** Its id, also where the title was given, if only one goal has it. */
async function goalNamed(client: Client, ref: string): Promise<string | CommandAnswer> {
  if (/^goal_[0-9a-f]{32}$/.test(ref)) return ref
  const wanted = ref.trim().toLowerCase()
  const goals = await client.goals({ all: 'true' })
  const exact = goals.filter(({ title }) => title.toLowerCase() === wanted)
  const found = exact.length > 0 ? exact : goals.filter((goal) => isMeant(goal, wanted))
  const [first] = found
  if (first && found.length === 1) return first.id
  return failed({
    type: found.length === 0 ? 'not_found' : 'usage',
    message:
      found.length === 0
        ? `There is no goal ${line(ref)}.`
        : `${line(ref)} could be ${found.map(({ title, id }) => `“${line(title)}” (${shortId(id)})`).join(' or ')}.`,
    next: found.length === 0 ? 'List them with `countersign goal list --all`.' : 'Give its id.',
    exit: found.length === 0 ? 3 : 2,
  })
}

function isMeant({ id, title }: GoalView, wanted: string): boolean {
  return wanted !== '' && (id.startsWith(wanted) || title.toLowerCase().startsWith(wanted))
}

/** Whole hours; null for none. */
function hoursIn(value: OptionValues[string]): number | null | undefined | 'wrong' {
  if (value === undefined) return undefined
  if (value === 'none') return null
  const ms = typeof value === 'string' ? parseDuration(value) : undefined
  return GoalCheckIn.safeParse((ms ?? 0) / 3_600_000).data ?? 'wrong'
}

const wrongStatus = `--status is one of ${GoalStatus.options.join(', ')}.`

function statusIn(options: OptionValues): GoalStatus | undefined | 'wrong' {
  if (options['status'] === undefined) return undefined
  return GoalStatus.safeParse(options['status']).data ?? 'wrong'
}

function numberIn(value: OptionValues[string], from: number, to: number): number | undefined | 'wrong' {
  if (value === undefined) return undefined
  const number = Number(value)
  return typeof value === 'string' && /^\d+$/.test(value) && number >= from && number <= to ? number : 'wrong'
}
