/**
 * Owns the way through a week: every written call is looked at by its tool, gets the label that its context has at that
 * moment, and is done if the operator would let it. The rules of labels are the product's own functions.
 *
 * A week is read in two ways: one session for each task, as in the app, and one session for all of it, as in a chat,
 * where a task goes on with what the one before it read unless there was a silence between them.
 */
import {
  canonicalText,
  type JsonObject,
  joinLabels,
  type Label,
  operatorLabel,
  readerTool,
} from '@countersign/contract'
import { beginsTask } from '@countersign/kernel/session-window'
import { soFarOf, type TaskCall, type TaskWords } from '@countersign/kernel/task-so-far'
import { nothingKnown, type TaskSoFar, taskFactsOf, webTools } from '@countersign/policy'
import type { JudgedCall } from '../call.ts'
import { type Cause, labelsAtStart } from '../installed.ts'
import { allSecretsOf, secretsOf } from '../judge.ts'
import { causeOf, settle } from './cause.ts'
import { broughtBy, keptMarks, type Mark, programMarks } from './file-marks.ts'
import { isWished, wishesOf } from './intent.ts'
import type { PersonFile } from './person.ts'
import { createReading, type ReadCall, type Reading as TaskReaders } from './reading.ts'
import type { SourceCall, SourceTask } from './source.ts'
import { listedBy, type Reader } from './wishes.ts'
import { createWorld, type FoundCall, isDeclared, type KnownTools, type World } from './world.ts'

export type Reading = 'app' | 'chat'

export interface WeekCall extends JudgedCall {
  readonly source: SourceCall
  readonly task: SourceTask
  /** Of a tool that the product does not have yet. */
  readonly declared: boolean
}

export interface LivedWeek {
  readonly calls: readonly WeekCall[]
  /** What each task is worth after its last call. */
  readonly ends: ReadonlyMap<string, Label>
  /** What the records say of each task of the operator's own after its last call. */
  readonly tasks: ReadonlyMap<string, TaskSoFar>
}

export interface WrittenWeek {
  readonly person: PersonFile
  /** Done before the week, as the operator's own: what the records hold when it begins. */
  readonly before: readonly SourceTask[]
  readonly tasks: readonly SourceTask[]
  /** Without them, what a declared tool would have brought is there, and nobody read it. */
  readonly withDeclared: boolean
  /** Who lists what the operator's words ask for. */
  readonly reader: Reader
}

export async function liveWeek(week: WrittenWeek, tools: KnownTools, reading: Reading): Promise<LivedWeek> {
  const { name, goal, memories } = week.person
  const labelAtStart = labelsAtStart({ name, goals: [goal], memories })
  const world = createWorld(week.person, tools)
  for (const task of week.before) for (const call of task.calls) await prepare(world, call)
  const calls: WeekCall[] = []
  const ends = new Map<string, Label>()
  const tasks = new Map<string, TaskSoFar>()
  let marks: Mark[] = []
  let chat = { label: operatorLabel, updated_at: new Date(0), log: emptyLog() }
  const problems: string[] = []
  for (const task of week.tasks) {
    const cause = await causeOf(task, world)
    const isChat = reading === 'chat' && isConversation(task, cause)
    const goesOn = isChat && !beginsTask(chat, timeOf(week.person, task, 0))
    let label = joinLabels(await labelAtStart(cause), goesOn ? chat.label : operatorLabel)
    const log = goesOn ? chat.log : emptyLog()
    const before = [...log.said.earlier, ...log.said.now]
    const readers = createReading(task)
    for (const turn of Map.groupBy(task.calls, (call) => call.turn).values()) {
      const worth = label
      for (const source of turn) {
        world.now = timeOf(week.person, task, source.turn)
        const words = [...before, ...task.said.slice(0, source.said)]
        log.said = { earlier: words.slice(0, -1), now: words.slice(-1) }
        const session = isChat ? 'chat' : task.id
        const list = (args: JsonObject) =>
          listedBy(week.reader, { task, messages: source.said, said: words, args })
        const soFar = (args: JsonObject) => soFarOf(log.calls, log.said, list(args))
        const about = { task, source, cause, label: worth, session, soFar, readers, marks }
        const seen = await see(world, tools, about).catch(said(problems))
        if (!seen) continue
        const { call, read, found } = seen
        const isLeftOut = call.declared && !week.withDeclared
        if (!isLeftOut) calls.push(read ? { ...call, ...read } : call)
        if (!found || call.injected || call.expected === 'must-deny') {
          // A program runs over its view before anybody is asked, and what it met its run has met.
          if (call.next?.brought && !isLeftOut) label = joinLabels(label, call.next.brought)
          continue
        }
        const told = await world.act(source, call.args, found, worth).catch(said(problems))
        if (isLeftOut || !told) continue
        if (!read || read.tool === readerTool) log.calls.push(await rowOf(world, { ...call, ...read }))
        const brought = broughtBy(call, told, tools, marks)
        label = joinLabels(label, brought)
        marks = keptMarks(marks, call, told, joinLabels(worth, brought), tools)
        if (call.next) marks = programMarks(marks, call.next, joinLabels(worth, brought))
      }
    }
    ends.set(task.id, label)
    const all = { task, messages: task.said.length, said: [...log.said.earlier, ...log.said.now], args: {} }
    tasks.set(task.id, soFarOf(log.calls, log.said, listedBy(week.reader, all)))
    if (isChat) chat = { label, updated_at: world.now, log }
    await settle(task, label, world)
  }
  if (problems.length > 0) throw new Error(`The week cannot happen as it is written:\n${problems.join('\n')}`)
  return { calls, ends, tasks }
}

/** The rows that the kernel would have of a task. */
interface TaskLog {
  readonly calls: TaskCall[]
  said: TaskWords
}

const emptyLog = (): TaskLog => ({ calls: [], said: { earlier: [], now: [] } })

/** As its row would tell it; what a write left stands in its undo. */
async function rowOf(world: World, call: WeekCall): Promise<TaskCall> {
  const { resources, source, facts = nothingKnown } = call
  const [written] = resources.filter((resource) => resource.type === 'file' && resource.op === 'write')
  const found =
    written?.type === 'file'
      ? await world.workspace.inspector.file({ root: 'workspace', path: written.path })
      : undefined
  return {
    args: canonicalText(call.args),
    resources,
    task: facts,
    left: found?.kind === 'file' ? found.content : null,
    text: webTools.includes(call.tool) ? source.result : null,
    ok: !source.failed,
    unled: call.label.integrity !== 'untrusted',
  }
}

/** All that is wrong is told at once. */
const said = (problems: string[]) => (cause: unknown) =>
  void problems.push(cause instanceof Error ? cause.message : String(cause))

/** What the operator says in a chat; helpers, plans, schedules and the attacks of the suite have runs of their own. */
function isConversation({ suite }: SourceTask, { requester, work }: Cause): boolean {
  return requester.kind === 'operator' && work === null && !suite
}

async function prepare(world: World, call: SourceCall): Promise<void> {
  const args = world.argsOf(call)
  const found = await world.look(call.tool, args)
  if (found.kind !== 'found') throw new Error(`${call.line}: ${found.reason}`)
  await world.act(call, args, found, operatorLabel)
}

function timeOf({ monday }: PersonFile, { day, minute }: SourceTask, turn: number): Date {
  return new Date(Date.parse(`${monday}T00:00:00.000Z`) + (day * 24 * 60 + minute) * 60_000 + turn * 20_000)
}

interface About {
  readonly task: SourceTask
  readonly source: SourceCall
  readonly cause: Cause
  readonly label: Label
  readonly session: string
  readonly soFar: (args: JsonObject) => TaskSoFar
  readonly readers: TaskReaders
  readonly marks: readonly Mark[]
}

interface Seen {
  readonly call: WeekCall
  /** What is another of it where a reader makes it. */
  readonly read: ReadCall | undefined
  readonly found: FoundCall | null
}

async function see(world: World, tools: KnownTools, about: About): Promise<Seen> {
  const { task, source, cause, label, session, soFar, readers, marks } = about
  const tool = tools.find(source.tool)
  const args = argsOf(world, source)
  const found = await world.look(source.tool, args)
  const { effects, resources } = found.kind === 'found' ? found : { effects: [], resources: [] }
  const refused = found.kind === 'found' ? null : found.reason
  if (refused !== null && !source.failed && source.expected !== 'must-deny')
    throw new Error(`${source.line}: ${source.tool} refuses: ${refused}`)
  const { requester } = cause
  const { unattended } = task
  const firstHand = cause.work === null
  const touched = { tool: source.tool, args, effects, resources }
  const inTask = {
    ...touched,
    tool: { name: source.tool },
    label,
    requester,
    unattended,
    firstHand,
    inReader: false,
    secrets: allSecretsOf(touched),
    uses: secretsOf(touched),
  }
  const call: WeekCall = {
    id: source.id,
    at: world.now.toISOString(),
    agent: cause.agent,
    run: task.id,
    session,
    turn: source.turn,
    tool: source.tool,
    args,
    label,
    requester,
    unattended,
    facts: refused === null ? taskFactsOf(inTask, soFar(args)) : nothingKnown,
    address: addressOf(task, source, args),
    effects,
    resources,
    refused,
    expected: source.expected,
    injected: source.injected,
    wished: isWished(
      { tool: source.tool, args, resources },
      wishesOf(task).filter(({ said }) => said <= source.said),
    ),
    leased: cause.leased && !source.injected,
    source,
    task,
    declared: tool !== undefined && isDeclared(tool),
  }
  if (found.kind !== 'found') return { call, read: undefined, found: null }
  const isOwn = !source.injected && !call.leased
  const read = isOwn ? readers.judge(inTask, source, soFar) : undefined
  const held = await world.heldBy(source, found)
  if (!held?.next) return { call, read, found }
  const brought = broughtBy(call, { label: null, files: held.files }, tools, marks)
  return { call: { ...call, next: { ...held.next, brought } }, read, found }
}

function argsOf(world: World, source: SourceCall) {
  try {
    return world.argsOf(source)
  } catch (cause) {
    throw new Error(`${source.line}: ${source.tool}: ${String(cause)}`, { cause })
  }
}

/** Whether the address stands, to the byte, in what came back before, in the operator's words, or in neither. */
function addressOf(task: SourceTask, call: SourceCall, args: WeekCall['args']): JudgedCall['address'] {
  const { url } = args
  if (typeof url !== 'string') return null
  const before = task.calls.filter((one) => one.turn < call.turn).map(({ result }) => result)
  const isIn = (text: string) => text.includes(url)
  if (task.said.slice(0, call.said).some(isIn)) return 'typed'
  return before.some(isIn) ? 'found' : 'made'
}
