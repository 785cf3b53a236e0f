/** Tries a tool of the executor: in the real sandbox, with a real permit, and with capabilities that remember. */
import { canonicalText, type Resolution, type ResolveReply, type ToolFacts } from '@countersign/contract'
import type { EffectsResult, ExecutorTool, ToolDefinition } from '@countersign/tools'
import type { Ambient } from './ambient.ts'
import { firstLineOf } from './check.ts'
import { differenceOf } from './difference.ts'
import type { Example } from './example.ts'
import { emptyObservation, type Observation, watchedCapabilities, watchedInspector } from './observation.ts'
import { knownFiles } from './sample.ts'
import { openScratchHost, type ScratchHost } from './scratch-host.ts'
import { type Change, changesBetween, snapshotOf } from './snapshot.ts'
import { type Trial, type TrialEnvironment, tooLate, type UndoTrial, withinTime } from './trial.ts'

export interface ExecutorTrialOptions {
  readonly definition: ExecutorTool
  /** Every tool that may be called, the one to try among them. */
  readonly tools: readonly ToolDefinition[]
  readonly ambient: Ambient
  readonly open: readonly { readonly host: string; readonly port: number }[]
  /** A folder that the workspace is a copy of at the beginning of each trial. */
  readonly from: string | undefined
  readonly scratch: string | undefined
}

export async function openExecutorTrial(options: ExecutorTrialOptions): Promise<TrialEnvironment> {
  const { definition, ambient, from } = options
  const memory: Memory = { observed: emptyObservation(), threw: undefined }
  const tools = options.tools.map((tool) =>
    tool === definition ? watched(definition, memory, ambient) : tool,
  )
  const host = await openScratchHost({ tools, open: options.open, parent: options.scratch })
  await host.furnish({ files: knownFiles, from })
  const { sandbox } = host
  return {
    where: sandbox.kind === 'available' ? sandbox.sandbox.name : 'no sandbox',
    async effects(args) {
      memory.threw = undefined
      const reply = await host.inspect(definition.name, canonicalText(args))
      if (memory.threw !== undefined) throw new Error(memory.threw)
      return foundOf(reply)
    },
    async attempt(example) {
      await host.furnish({ files: example.files ?? (from === undefined ? knownFiles : {}), from })
      Object.assign(memory, { observed: emptyObservation(), threw: undefined })
      const ended = await withinTime((signal) => attempt(example, definition, host, memory, signal))
      return ended === 'late' ? tooLate : ended
    },
    close: () => host.close(),
  }
}

interface Memory {
  observed: Observation
  threw: string | undefined
}

function watched(definition: ExecutorTool, memory: Memory, ambient: Ambient): ExecutorTool {
  const remember = (error: unknown): never => {
    memory.threw = firstLineOf(error)
    throw error
  }
  return {
    ...definition,
    effects: (args, inspect) =>
      ambient
        .inTool(async () => definition.effects(args, watchedInspector(inspect, ambient)))
        .catch(remember),
    run: (args, capabilities, signal) =>
      ambient
        .inTool(async () =>
          definition.run(args, watchedCapabilities(capabilities, memory.observed, ambient), signal),
        )
        .catch(remember),
  }
}

async function attempt(
  example: Example,
  definition: ExecutorTool,
  host: ScratchHost,
  memory: Memory,
  signal: AbortSignal,
): Promise<Trial> {
  const args = canonicalOf(host.facts(definition.name), example.args)
  if (args === undefined)
    return { kind: 'stopped', reason: 'It does not take these arguments.', fix: 'Give others.' }
  const before = snapshotOf(host.workspace)
  const called = await host.call(definition.name, args, signal)
  if (called.kind === 'impossible')
    return {
      kind: 'stopped',
      reason: called.reason,
      fix: called.fix ?? 'Give it what it needs, or other arguments.',
    }
  if (called.kind === 'refused')
    return { kind: 'stopped', reason: `The executor refused: ${called.reason}.`, fix: refusalFix }
  const { result, resolution } = called
  const changes = changesBetween(before, snapshotOf(host.workspace))
  const { observed, threw = null } = memory
  const difference = differenceOf({ resolution, observed, changes, succeeded: result.ok })
  const left = () => {
    const all = changesBetween(before, snapshotOf(host.workspace))
    return Object.groupBy(all, (change) => (isItsOwn(change, resolution, observed) ? 'own' : 'other'))
  }
  const taking: UndoTrial =
    result.undo === null ? { kind: 'none' } : await takeBack(result.undo, host, signal, left)
  const changed = changes.map(changeText)
  return { kind: 'done', result, effects: resolution.effects, difference, changed, taking, threw }
}

/** What a program keeps for itself, as the objects of git, need not go when its work is taken back. */
function isItsOwn({ path }: Change, { resources }: Resolution, { programs }: Observation): boolean {
  const isNamed = resources.some(
    (resource) => resource.type === 'file' && resource.op !== 'read' && resource.path === path,
  )
  return programs.length === 0 || isNamed
}

const refusalFix = 'Let `effects` give the same answer while the world is the same, and need no passkey.'

async function takeBack(
  undo: { readonly tool: string; readonly args: string },
  host: ScratchHost,
  signal: AbortSignal,
  left: () => { own?: Change[]; other?: Change[] },
): Promise<UndoTrial> {
  const args = canonicalOf(host.facts(undo.tool), JSON.parse(undo.args))
  if (args === undefined) return { kind: 'failed', reason: `${undo.tool} does not take ${undo.args}` }
  const called = await host.call(undo.tool, args, signal)
  if (called.kind !== 'done') return { kind: 'failed', reason: called.reason }
  if (!called.result.ok) return { kind: 'failed', reason: called.result.text }
  const { own = [], other = [] } = left()
  if (own.length > 0) return { kind: 'differs', what: own.map(changeText) }
  return { kind: 'restored', left: other.map(changeText) }
}

export function canonicalOf(facts: ToolFacts | undefined, given: unknown): string | undefined {
  const parsed = facts?.parse(given)
  return parsed?.kind === 'args' ? canonicalText(parsed.args) : undefined
}

function changeText({ path, what, isFolder }: Change): string {
  return `${what} ${isFolder ? 'the folder ' : ''}${path}`
}

function foundOf(reply: ResolveReply): EffectsResult {
  if (reply.kind !== 'resolved') return reply
  const { resources, effects } = reply.resolution
  return { kind: 'found', resources, effects }
}
