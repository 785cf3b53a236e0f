/**
 * An executor process whose workspace and web are those of a written week: the tools' own definitions look at it and say what
 * a call would touch, and what comes back is what the week says. What a program changed is held until it is taken over. It
 * checks no permit.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type ApprovalSubject,
  canonicalText,
  changesTaker,
  type ExecuteReply,
  type ExecutorMessage,
  ExecutorRequest,
  type JsonObject,
  operatorLabel,
  type ResolveReply,
} from '@countersign/contract'
import { fingerprint, readTrust } from '@countersign/contract/node'
import {
  allSecretsOf,
  createWorld,
  type HeldByProgram,
  isDeclared,
  readWritten,
  tasksOf,
} from '@countersign/reference-week/weeks'
import { parseArgs } from '@countersign/tools'
import { z } from 'zod'
import { messageFile, messageName, weekFile } from './week-file.ts'

const { trustFile } = z.looseObject({ trustFile: z.string() }).parse(JSON.parse(process.argv[2] ?? 'null'))
const beside = (name: string) => readFileSync(join(dirname(trustFile), name), 'utf8')
const wanted = beside(weekFile)
const { executor } = readTrust(trustFile)

const corpus = readWritten()
const part = corpus.parts.find(({ name }) => name === wanted)
if (!part) throw new Error(`There is no part ${wanted}.`)
const world = createWorld(part.person, corpus.tools)
const calls = [...part.before, ...tasksOf(part, corpus.tools, false)].flatMap((task) =>
  task.calls.flatMap((source) => {
    const tool = corpus.tools.find(source.tool)
    if (!tool || (!isDeclared(tool) && tool.runs !== 'executor') || /@\{/.test(source.words)) return []
    return [{ source, tool, args: world.argsOf(source), message: messageName(task, source.said) }]
  }),
)
interface Held {
  readonly call: (typeof calls)[number]
  readonly next: NonNullable<HeldByProgram['next']>
}

/** What programs changed and nobody took over yet, by the arguments of the call that does. */
const held = new Map<string, Held>()
/** What tools that are not there yet brought before it has happened. */
let next = 0
/** The same words are often said again, and something else comes of them. */
const done = new Set<(typeof calls)[number]>()

function boundArgs(name: string, args: JsonObject): JsonObject {
  const tool = corpus.tools.find(name)
  const parsed = tool && !isDeclared(tool) ? parseArgs(tool, args) : undefined
  return parsed?.kind === 'args' ? (parsed.args as JsonObject) : args
}

/** The written call that this one is, and everything that tools which are not there yet brought before it. */
async function reach(name: string, args: JsonObject) {
  const same = canonicalText(boundArgs(name, args))
  const alike = calls.filter(
    (call) => call.tool.name === name && canonicalText(boundArgs(name, call.args)) === same,
  )
  const message = beside(messageFile)
  const ofMessage = alike.filter((call) => call.message === message)
  // Helpers and plans work beside the message.
  const [found = ofMessage.at(-1) ?? alike.at(-1)] = [...ofMessage, ...alike].filter(
    (call) => !done.has(call),
  )
  if (!found) return undefined
  const at = calls.indexOf(found)
  for (const call of calls.slice(next, at)) if (isDeclared(call.tool)) await act(call)
  next = Math.max(next, at)
  return found
}

async function act({ source, args }: (typeof calls)[number]) {
  const found = await world.look(source.tool, args)
  if (found.kind !== 'found' || source.injected || source.expected === 'must-deny') return undefined
  return world.act(source, args, found, operatorLabel)
}

async function resolve(name: string, text: string): Promise<ResolveReply> {
  const args = JSON.parse(text) as JsonObject
  const changes = held.get(text)?.next
  if (changes) return resolvedAs(name, { ...changes, sandbox: 'files', egress: 'none' })
  await reach(name, args)
  const tool = corpus.tools.find(name)
  if (!tool || isDeclared(tool) || tool.runs !== 'executor')
    return { kind: 'invalid', reason: `There is no tool ${name} here.` }
  const found = await world.look(name, args)
  if (found.kind !== 'found') return found
  return resolvedAs(name, { ...found, args, sandbox: tool.sandbox, egress: tool.egress })
}

function resolvedAs(
  tool: string,
  {
    args,
    effects,
    resources,
    sandbox,
    egress,
  }: Pick<Held['next'], 'args' | 'effects' | 'resources'> & { sandbox: string; egress: string },
): ResolveReply {
  return {
    kind: 'resolved',
    resolution: {
      resources: [...resources],
      effects: [...effects],
      sandbox: `${sandbox}:written`,
      egress: egress === 'none' ? 'none' : 'checked:written',
      secrets: [...allSecretsOf({ tool, args, effects, resources })],
    },
  }
}

async function takeOver(text: string): Promise<ExecuteReply> {
  const startedAt = new Date().toISOString()
  const changes = held.get(text)
  if (!changes) return { kind: 'refused', reason: 'Nothing is held.' }
  held.delete(text)
  await act(changes.call)
  const result = { ok: true, text: '', summary: '', undo: null }
  return { kind: 'done', startedAt, endedAt: new Date().toISOString(), result }
}

async function execute({ tool: { name }, args: text, hidden }: ApprovalSubject): Promise<ExecuteReply> {
  if (name === changesTaker) return takeOver(text)
  const startedAt = new Date().toISOString()
  const args = JSON.parse(text) as JsonObject
  const call = await reach(name, args)
  if (!call) return { kind: 'refused', reason: 'It stands nowhere in the week.' }
  const found = await world.look(name, args)
  const program = found.kind === 'found' ? await world.heldBy(call.source, found) : null
  if (program?.next) held.set(canonicalText(program.next.args), { call, next: program.next })
  const told = program ?? (await act(call))
  const [path] =
    found.kind === 'found'
      ? found.resources.flatMap((each) => (each.type === 'file' && each.op === 'write' ? [each.path] : []))
      : []
  const left =
    path === undefined ? undefined : await world.workspace.inspector.file({ root: 'workspace', path })
  done.add(call)
  return {
    kind: 'done',
    startedAt,
    endedAt: new Date().toISOString(),
    result: {
      ok: !call.source.failed,
      text: call.source.result,
      summary: '',
      undo:
        left?.kind === 'file' && !call.source.failed
          ? {
              tool: 'restore_file',
              args: canonicalText({ path: path ?? '', expected: left.content, content: null }),
            }
          : null,
      // All that the permit hides can be hidden here: no file has a second name.
      ...(told?.files || hidden.length > 0
        ? { files: { ...(told?.files ?? { found: [], changed: [] }), hidden } }
        : {}),
      ...(program?.next ? { next: { tool: changesTaker, args: canonicalText(program.next.args) } } : {}),
    },
  }
}

const send = (message: ExecutorMessage) => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

/** One after the other, as a week happens. */
let busy: Promise<unknown> = Promise.resolve()
process.on('message', (message) => {
  const request = ExecutorRequest.parse(message)
  busy = busy.then(async () => {
    if (request.type === 'resolve') {
      const replies: ResolveReply[] = []
      for (const { tool, args } of request.calls) replies.push(await resolve(tool, args))
      send({ type: 'resolved', id: request.id, replies })
    }
    if (request.type === 'execute')
      for (const [index, { subject }] of request.permits.entries())
        send({
          type: 'executed',
          id: request.id,
          index,
          reply: await execute(subject),
        })
  })
})
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit(0))

send({
  type: 'ready',
  executor: executor.id,
  key: fingerprint(executor.key),
  sandbox: { kind: 'available', name: 'written' },
})
