/**
 * Owns the way through a week: every written call is looked at by its tool, gets the label that its context has at that
 * moment, and is done if the operator would let it. The rules of labels are the kernel's own functions.
 *
 * A week is read in two ways: one session for each task, as in the app, and one session for all of it, as in a chat.
 */
import { foreignFolderOf, joinLabels, type Label, operatorLabel } from '@countersign/contract'
import { labelOfFiles, mayWriteAnywhere, scopesOf, writtenBy } from '@countersign/kernel/file-labels'
import type { JudgedCall } from '../call.ts'
import { secretsOf } from '../judge.ts'
import { type Cause, labelAtStart } from './installed.ts'
import type { PersonFile } from './person.ts'
import type { SourceCall, SourceTask } from './source.ts'
import { createWorld, type FoundCall, isDeclared, type KnownTools, type Told, type World } from './world.ts'

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
  readonly tasks: readonly SourceTask[]
}

export interface WrittenWeek {
  readonly person: PersonFile
  /** Done before the week, as the operator's own: what the records hold when it begins. */
  readonly before: readonly SourceTask[]
  readonly tasks: readonly SourceTask[]
  /** Without them, what a declared tool would have brought is there, and nobody read it. */
  readonly withDeclared: boolean
}

interface Mark {
  readonly path: string
  readonly label: Label
}

export async function liveWeek(week: WrittenWeek, tools: KnownTools, reading: Reading): Promise<LivedWeek> {
  const world = createWorld(week.person, tools)
  for (const task of week.before) for (const call of task.calls) await prepare(world, call)
  const calls: WeekCall[] = []
  const ends = new Map<string, Label>()
  let marks: Mark[] = []
  let chat = operatorLabel
  const problems: string[] = []
  for (const task of week.tasks) {
    const cause = await causeOf(task, world)
    const isChat =
      reading === 'chat' && cause.requester.kind === 'operator' && cause.work === null && !task.suite
    let label = joinLabels(labelAtStart(week.person, cause), isChat ? chat : operatorLabel)
    for (const turn of Map.groupBy(task.calls, (call) => call.turn).values()) {
      const before = label
      for (const call of turn) {
        world.now = timeOf(week.person, task, call)
        const seen = await see(world, tools, task, call, cause, before).catch(said(problems))
        if (!seen) continue
        const isLeftOut = seen.call.declared && !week.withDeclared
        if (!isLeftOut) calls.push({ ...seen.call, address: addressOf(task, call, seen.call.args) })
        if (!seen.found || call.injected || call.expected === 'must-deny') continue
        const told = await world.act(call, seen.call.args, seen.found, before).catch(said(problems))
        if (isLeftOut || !told) continue
        const brought = broughtBy(seen.call, told, tools, marks)
        label = joinLabels(label, brought)
        marks = keptMarks(marks, seen.call, told, joinLabels(before, brought), tools)
      }
    }
    ends.set(task.id, label)
    if (isChat) chat = label
    await settle(world, label, task)
  }
  if (problems.length > 0) throw new Error(`The week cannot happen as it is written:\n${problems.join('\n')}`)
  return { calls, ends, tasks: week.tasks }
}

/** All that is wrong is told at once. */
const said = (problems: string[]) => (cause: unknown) =>
  void problems.push(cause instanceof Error ? cause.message : String(cause))

async function prepare(world: World, call: SourceCall): Promise<void> {
  const args = world.argsOf(call)
  const found = await world.look(call.tool, args)
  if (found.kind !== 'found') throw new Error(`${call.line}: ${found.reason}`)
  await world.act(call, args, found, operatorLabel)
}

/** `operator`, `schedule name`, `peer name`, `webhook name`, `agent handle`, `plan handle` or `plan handle ahead`. */
async function causeOf({ by, id }: SourceTask, world: World): Promise<Cause> {
  const [kind = '', name = '', ahead] = by.split(' ')
  const own = { agent: 'assistant', work: null, leased: false }
  switch (kind) {
    case 'operator':
      return { requester: { kind, id: 'the operator' }, ...own }
    case 'schedule':
    case 'peer':
    case 'webhook':
      return { requester: { kind, id: name }, ...own }
    case 'agent':
    case 'plan': {
      const collection = kind === 'agent' ? 'agent_tasks' : 'plans'
      const record = await world.records.get(collection, world.idOf(name))
      if (!record) throw new Error(`${id}: ${name} is not there.`)
      const work = record.label ?? { integrity: 'tool', confidentiality: 'private', sources: [] }
      return {
        requester: { kind: 'operator', id: 'the operator' },
        agent: kind === 'agent' ? 'task' : 'plan',
        work,
        leased: ahead === 'ahead',
      }
    }
    default:
      throw new Error(`${id}: unknown cause ${by}.`)
  }
}

function timeOf({ monday }: PersonFile, { day, minute }: SourceTask, { turn }: SourceCall): Date {
  return new Date(Date.parse(`${monday}T00:00:00.000Z`) + (day * 24 * 60 + minute) * 60_000 + turn * 20_000)
}

interface Seen {
  readonly call: WeekCall
  readonly found: FoundCall | null
}

async function see(
  world: World,
  tools: KnownTools,
  task: SourceTask,
  source: SourceCall,
  { requester, agent, leased }: Cause,
  label: Label,
): Promise<Seen> {
  const tool = tools.find(source.tool)
  const args = argsOf(world, source)
  const found = await world.look(source.tool, args)
  const { effects, resources } = found.kind === 'found' ? found : { effects: [], resources: [] }
  const refused = found.kind === 'found' ? null : found.reason
  if (refused !== null && !source.failed && source.expected !== 'must-deny')
    throw new Error(`${source.line}: ${source.tool} refuses: ${refused}`)
  const call: WeekCall = {
    id: source.id,
    at: world.now.toISOString(),
    agent,
    run: task.id,
    turn: source.turn,
    tool: source.tool,
    args,
    label,
    requester,
    unattended: task.unattended,
    address: null,
    effects: [...effects],
    resources: [...resources],
    refused,
    expected: source.expected,
    injected: source.injected,
    leased: leased && !source.injected,
    source,
    task,
    declared: tool !== undefined && isDeclared(tool),
  }
  return { call, found: found.kind === 'found' ? found : null }
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

/** As the kernel joins it at the end of a call: `dispatch/execute-permits.ts`. */
function broughtBy(call: WeekCall, told: Told, tools: KnownTools, marks: readonly Mark[]): Label {
  const tool = tools.find(call.tool)
  if (!tool) return operatorLabel
  const read = labelOfFiles(scopesOf(touchedBy(call, tools), told.files), { marks, own: [] })
  const secret: Label = { ...operatorLabel, confidentiality: 'private' }
  return [told.label, read, secretsOf(call).length > 0 ? secret : null].reduce<Label>(
    (label, one) => (one ? joinLabels(label, one) : label),
    tool.output,
  )
}

/** As `keepLabels` of `dispatch/file-labels.ts` does it in the database. */
function keptMarks(
  marks: readonly Mark[],
  call: WeekCall,
  told: Told,
  label: Label,
  tools: KnownTools,
): Mark[] {
  const touched = touchedBy(call, tools)
  const written = writtenBy(touched)
  const left = call.source.failed ? [...marks] : marks.filter(({ path }) => !written.includes(path))
  if (label.integrity !== 'untrusted' && label.confidentiality !== 'secret') return left
  const changed = mayWriteAnywhere(touched) ? (told.files?.changed ?? ['.']) : []
  const fresh = [...new Set([...written, ...changed])].filter((path) => !isPackage(path))
  return [...left.filter(({ path }) => !fresh.includes(path)), ...fresh.map((path) => ({ path, label }))]
}

function touchedBy({ resources, tool }: WeekCall, tools: KnownTools) {
  const definition = tools.find(tool)
  const profile = definition && 'sandbox' in definition ? String(definition.sandbox) : ''
  return { resources: [...resources], sandbox: `${profile}:` }
}

/** Packages are never trusted by themselves, so no mark is put on them. */
const isPackage = (path: string) => foreignFolderOf(path)?.kind === 'packages'

/** A helper’s work has ended, and is worth what the run was worth. */
async function settle(world: World, label: Label, task: SourceTask): Promise<void> {
  const [kind, name = ''] = task.by.split(' ')
  if (kind !== 'agent' && kind !== 'plan') return
  const collection = kind === 'agent' ? 'agent_tasks' : 'plans'
  const record = await world.records.get(collection, world.idOf(name))
  if (!record) return
  const ended = kind === 'agent' ? { status: 'completed', result: 'done' } : { status: 'completed' }
  const worth = record.label ? joinLabels(record.label, label) : label
  await world.records.replace(collection, record.id, record.version, { ...record.data, ...ended }, worth)
}
