/**
 * Owns a written week as it happens in a whole installation: the messages come in, a model makes the calls that are
 * written, an operator answers the cards, and the cards of each task are counted.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CallId,
  CountersignError,
  canonicalText,
  changesTaker,
  highestDeviceTier,
  type JsonObject,
  type SessionId,
} from '@countersign/contract'
import {
  isDeclared,
  listedBy,
  type SourceCall,
  type SourceTask,
  tasksOf,
  type WeekCall,
  type WrittenCorpus,
  type WrittenPart,
} from '@countersign/reference-week/weeks'
import { parseArgs } from '@countersign/tools'
import { z } from 'zod'
import { until } from '../../until.ts'
import {
  type AdversaryInstallation,
  type Conversation,
  openAdversaryInstallation,
  type Script,
} from '../adversary/installation.ts'
import { messageFile, messageName, weekFile } from './week-file.ts'

export interface LivedTask {
  readonly task: SourceTask
  /** The ids of the calls that were asked about, in order; what is not of the week stands with its arguments. */
  readonly cards: readonly string[]
  /** The ids of the calls that were held, because nobody asked for them. */
  readonly held: readonly string[]
}

const executorMain = fileURLToPath(new URL('./executor-main.ts', import.meta.url))

/** What the installation keeps for itself, and no tool made. */
const bookkeeping = ['memory_watch']

export async function liveInGateway(
  part: WrittenPart,
  corpus: WrittenCorpus,
  judged: ReadonlyMap<string, WeekCall>,
  most: number,
): Promise<LivedTask[]> {
  /** Limits count by the hour and by the day, so the tasks come when the week says. */
  let aheadMs = 0
  const installation = await openAdversaryInstallation({
    executorMain,
    clock: () => new Date(Date.now() + aheadMs),
    tools: 'codeExecution,webFetch,git,browser',
    prepare: ({ trust }) => writeFileSync(join(dirname(trust), weekFile), part.name),
  })
  try {
    const made: Made = { judged, handles: new Map(), known: new Set() }
    const lived: LivedTask[] = []
    const tasks = [...part.before, ...tasksOf(part, corpus.tools, false).slice(0, most)]
    for (const task of tasks) {
      aheadMs = Math.max(aheadMs, (task.day * 24 * 60 + task.minute) * 60_000)
      lived.push({ task, ...(await liveTask(installation, corpus, task, made)) })
    }
    return lived.slice(part.before.length)
  } finally {
    await installation.close()
  }
}

interface Made {
  /** As the replay has them, by their ids: some are made by a reader there. */
  readonly judged: ReadonlyMap<string, WeekCall>
  readonly handles: Map<string, string>
  readonly known: Set<string>
}

async function liveTask(
  installation: AdversaryInstallation,
  corpus: WrittenCorpus,
  task: SourceTask,
  made: Made,
): Promise<Omit<LivedTask, 'task'>> {
  const cards: string[] = []
  const held: string[] = []
  let session: SessionId | undefined
  for (const [index, said] of task.said.length > 0 ? task.said.entries() : [[0, task.title] as const]) {
    const number = task.said.length > 0 ? index + 1 : 0
    writeFileSync(join(dirname(installation.paths.trust), messageFile), messageName(task, number))
    const calls = task.calls.filter((call) => call.said === number)
    const mark = `${task.id}-${index}`
    const turns = [...Map.groupBy(calls, ({ turn }) => turn).values()]
    const open = [...calls]
    const words = { task, messages: index + 1, said: task.said, args: {} }
    const { items, kinds, questions } = listedBy('hand', words)
    const takeCall = (tool: string, args: string) => {
      const isThis = (one: SourceCall) =>
        tool === changesTaker
          ? isChangedBy(one, args)
          : toolOf(one, made) === tool && boundText(corpus, one, made) === args
      const at = open.findIndex(isThis)
      return at < 0 ? undefined : open.splice(at, 1)[0]
    }
    const talk = await installation.talk({
      mark,
      text: said,
      ...(session ? { session } : {}),
      ...causeOf(task),
      wishes: items,
      kinds,
      questions,
      script: scriptOf(installation, corpus, turns, made),
      verdict({ tool, args, tier }) {
        const call = takeCall(tool.name, args)
        cards.push(call?.id ?? `${tool.name} ${args}`)
        return call === undefined || isUnwanted(call) || tier > highestDeviceTier ? 'deny' : 'approve'
      },
    })
    session = talk.session
    await learn(installation, turns.at(-1) ?? [], made)
    const rows = await installation.query<{ id: CallId; tool: string; args: string }>(
      `select id, tool, args from calls where run_id = $1 and outcome = 'held' order by turn, position`,
      [talk.run],
    )
    for (const { id, tool, args } of rows) {
      const call = takeCall(tool, args)
      held.push(call?.id ?? `${tool} ${args}`)
      if (call && !isUnwanted(call)) await letAsk(installation, talk.session, id)
      if (call) await learn(installation, [call], made)
    }
  }
  return { cards, held }
}

const longestHelperMs = 30_000

const isUnwanted = ({ injected, expected }: SourceCall) => injected || expected === 'must-deny'

/** What was held and is wanted the operator lets ask out of its row, and approves: later tasks rest on it. */
async function letAsk(installation: AdversaryInstallation, session: SessionId, call: CallId): Promise<void> {
  const { kernel } = installation.gateway
  const rows = await kernel.unasked(kernel.operator)
  const row = rows.find((one) => one.session === session && one.calls.some((each) => each.call === call))
  if (!row) return
  const begin = () =>
    installation.talk({
      mark: `let-${call}`,
      text: '',
      session,
      script: () => ({ text: 'Done.' }),
      verdict: ({ tier }) => (tier > highestDeviceTier ? 'deny' : 'approve'),
      // The clock of the week runs ahead of that of a client.
      begins: () => kernel.letAsk(kernel.operator, { id: row.id, call }, installation.actor),
    })
  // The report of a helper may begin a run there at any time.
  await until(
    () =>
      begin().then(
        () => true,
        (error: unknown) => {
          if (isConflict(error)) return false
          throw error
        },
      ),
    longestHelperMs,
  )
}

function isConflict(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof CountersignError && cause.code === 'conflict'
}

/** What a program changed is asked about in its place, and names all that it wrote or something that it removed. */
function isChangedBy({ wrote, deleted }: SourceCall, args: string): boolean {
  const { files } = HeldPaths.parse(JSON.parse(args))
  const [gone, left] = [true, false].map((isGone) =>
    files.filter(({ change }) => (change === 'removed') === isGone).map((file) => file.path),
  ) as [string[], string[]]
  const isListed = (path: string) => left.includes(path.replace(/\/$/, ''))
  const isRemoved = (path: string) => gone.some((one) => `${one}/`.startsWith(path))
  return wrote.length > 0 ? wrote.every(isListed) : deleted.some(isRemoved)
}

const HeldPaths = z.looseObject({ files: z.array(z.looseObject({ path: z.string(), change: z.string() })) })

function causeOf({ by, unattended }: SourceTask): Partial<Conversation> {
  const [kind, name = ''] = by.split(' ')
  const work = { agent: 'assistant', goal: null, schedule: null, unattended }
  if (kind === 'schedule' || kind === 'peer' || kind === 'webhook')
    return { requester: { kind, id: name }, work }
  return unattended ? { work } : {}
}

function scriptOf(
  installation: AdversaryInstallation,
  corpus: WrittenCorpus,
  turns: readonly (readonly SourceCall[])[],
  made: Made,
): Script {
  let at = 0
  return async ({ tools }) => {
    if (!tools || tools.length === 0) return { text: 'Nothing to do.' }
    for (;;) {
      await learn(installation, turns[at - 1] ?? [], made)
      const turn = turns[at]
      at += 1
      if (!turn) return { text: 'Done.' }
      const there = turn.filter((call) => {
        const found = corpus.tools.find(call.tool)
        const isReaders = made.judged.get(call.id)?.facts?.reader === true
        return found !== undefined && !isDeclared(found) && !isReaders
      })
      if (there.length > 0)
        return {
          calls: there.map((call) => ({ name: toolOf(call, made), args: argsOf(corpus, call, made) })),
        }
    }
  }
}

/** The first look of a reader stands for the call that opens it. */
function toolOf({ id, tool }: SourceCall, { judged }: Made): string {
  return judged.get(id)?.tool ?? tool
}

function argsOf(
  { tools }: WrittenCorpus,
  { id, tool, words }: SourceCall,
  { handles, judged }: Made,
): JsonObject {
  const call = judged.get(id)
  if (call && call.tool !== tool) return call.args
  const filled = words.replaceAll(/@\{([\w-]+)\}/g, (_, handle: string) => handles.get(handle) ?? handle)
  return tools.reader(tool)?.(filled) ?? {}
}

/** As a call is bound: with what it leaves out. */
function boundText(corpus: WrittenCorpus, call: SourceCall, made: Made): string {
  const args = argsOf(corpus, call, made)
  const tool = corpus.tools.find(toolOf(call, made))
  const parsed = tool && !isDeclared(tool) ? parseArgs(tool, args) : undefined
  return canonicalText(parsed?.kind === 'args' ? (parsed.args as JsonObject) : args)
}

/** The ids of what the calls made, in the order in which they were made. */
async function learn(
  installation: AdversaryInstallation,
  calls: readonly SourceCall[],
  { handles, known }: Made,
) {
  const rows = await installation.query<{ id: string }>(
    `select collection || ' ' || id as place, id from records where collection <> all ($1)
     order by created_at, split_part(id, '_', 2)`,
    [bookkeeping],
  )
  const fresh = rows.filter(({ id }) => !known.has(id))
  for (const { id } of fresh) known.add(id)
  const wanted = calls.flatMap(({ made }) => made).filter((handle) => !handles.has(handle))
  for (const [index, handle] of wanted.entries()) {
    const id = fresh[index]?.id
    if (id !== undefined) handles.set(handle, id)
  }
}
