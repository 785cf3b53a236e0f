/**
 * Owns the way of one permit: what is known of an earlier use, the verification, the single beginning, the effect, and
 * the record of its end. A nonce that has begun never begins again.
 */
import type { ExecuteReply, Permit, ToolResult, WorkOnMedia } from '@countersign/contract'
import { parseArgs } from '@countersign/tools'
import type { OpenCapabilities } from './capabilities/capabilities.ts'
import type { FileTrace } from './file-trace.ts'
import { outcomeKey } from './outcome-seal.ts'
import type { ExecutedReply, PermitUse, ReplayStart, ReplayStore } from './replay-store.ts'
import {
  type PermitChecks,
  type PermittedCall,
  type PermitWorld,
  type ReadPermit,
  readPermit,
  verifyRead,
} from './verify.ts'

export interface ExecuteParts {
  readonly world: PermitWorld
  readonly replay: ReplayStore
  /** Without `work` no model works for the call. */
  capabilitiesFor(call: PermittedCall, work?: WorkOnMedia): Promise<OpenCapabilities>
  /** Tells what the call did to files; without it nothing is known of that. */
  readonly trace?: FileTrace
  now(): Date
  /** Takes values of secrets out of what is kept and told; called after the effect. */
  mask(result: ToolResult): ToolResult
  /** Replaced only by tests that prove what each check is for. */
  readonly checks?: PermitChecks
}

/** Resolves even on failure. The signal ends the effect, not the record of it. */
export async function executePermit(
  permit: unknown,
  parts: ExecuteParts,
  signal: AbortSignal,
  work?: WorkOnMedia,
): Promise<ExecuteReply> {
  const read = readPermit(permit)
  if ('problem' in read) return { kind: 'refused', reason: read.problem }
  const use = useOf(read)
  // What was done is told even when the permit would no longer hold: the world has changed because of it.
  const earlier = await earlierUse(use, parts)
  if (earlier) return (await probed(earlier, read.permit, use, parts)) ?? earlier
  const verdict = await verifyRead(read, parts.world, parts.checks)
  if (verdict.kind === 'refused') {
    // Another use of the same permit may have begun while this one was being looked at, and changed the world.
    return (await earlierUse(use, parts)) ?? (isForgotten(read.permit, parts) ? unknownUse(parts) : verdict)
  }
  const { call } = verdict
  if (signal.aborted) return { kind: 'refused', reason: 'cancelled before it began' }
  const begun = await beginUse(use, parts)
  if (begun.kind !== 'begun') return begun.kind === 'seen' ? begun.reply : begun
  const result = masked(await run(call, parts, signal, work), parts)
  const reply: ExecutedReply = {
    kind: 'done',
    startedAt: begun.startedAt,
    endedAt: parts.now().toISOString(),
    result,
  }
  try {
    await parts.replay.finish(call.subject.nonce, reply)
  } catch (error) {
    // The effect has happened; only its record is missing, which a later use will see as unknown.
    process.stderr.write(`the end of ${call.subject.nonce} was not recorded: ${messageOf(error)}\n`)
  }
  return reply
}

/** A memory that cannot be read may hold this very use, so nobody can say that nothing was done. */
async function earlierUse(use: PermitUse, parts: ExecuteParts): Promise<ExecuteReply | undefined> {
  try {
    return await parts.replay.earlier(use)
  } catch (error) {
    process.stderr.write(`the replay store cannot be read: ${messageOf(error)}\n`)
    return unknownUse(parts)
  }
}

/** Asks the tool whether an effect whose end nobody saw was done. The permit was verified when it began. */
async function probed(
  earlier: ExecuteReply,
  permit: Permit,
  use: PermitUse,
  parts: ExecuteParts,
): Promise<ExecuteReply | undefined> {
  const { subject } = permit
  const tool = parts.world.catalogue.definition(subject.tool.name)
  if (earlier.kind !== 'unknown' || tool?.runs !== 'executor' || !tool.probe) return undefined
  const args = parseArgs(tool, JSON.parse(subject.args))
  if (args.kind === 'invalid') return undefined
  try {
    // A memory that cannot be read does not say that it ever began, and so not that anybody verified it.
    if (!(await parts.replay.earlier(use))) return undefined
    const capabilities = await parts.capabilitiesFor({ subject, tool, args: args.args })
    let found: ToolResult | undefined
    try {
      found = await tool.probe(args.args, capabilities)
    } finally {
      await closed(capabilities, use.nonce)
    }
    if (!found) return undefined
    const result = masked(found, parts)
    const { startedAt } = earlier
    const reply: ExecutedReply = { kind: 'done', startedAt, endedAt: parts.now().toISOString(), result }
    await parts.replay.finish(use.nonce, reply)
    return reply
  } catch (error) {
    process.stderr.write(`${tool.name} could not be asked about ${use.nonce}: ${messageOf(error)}\n`)
    return undefined
  }
}

async function beginUse(
  use: PermitUse,
  { replay }: ExecuteParts,
): Promise<ReplayStart | Extract<ExecuteReply, { kind: 'refused' }>> {
  try {
    return await replay.begin(use)
  } catch (error) {
    return { kind: 'refused', reason: `the use could not be recorded: ${messageOf(error)}` }
  }
}

/** A use of so long ago would no longer be remembered. */
function isForgotten({ seal }: Permit, { replay, now }: ExecuteParts): boolean {
  return Date.parse(seal.decidedAt) < now().getTime() - replay.keepMs
}

function unknownUse({ now }: ExecuteParts): ExecuteReply {
  return { kind: 'unknown', startedAt: now().toISOString() }
}

/** An undo must stay exact, and it is no sink: it is shown only through the same masks as everything else. */
function masked(result: ToolResult, { mask }: ExecuteParts): ToolResult {
  return { ...mask(result), undo: result.undo }
}

async function run(
  call: PermittedCall,
  { capabilitiesFor, trace = untraced }: ExecuteParts,
  signal: AbortSignal,
  work: WorkOnMedia | undefined,
): Promise<ToolResult> {
  const { tool, args, subject } = call
  if (tool.runs !== 'executor') throw new TypeError(`${tool.name} is not for an executor`)
  try {
    const open = await capabilitiesFor(call, work)
    try {
      return await trace(subject, open, (capabilities) =>
        tool.run(args, capabilities, signal).catch(failureOf),
      )
    } finally {
      await closed(open, subject.nonce)
    }
  } catch (error) {
    return failureOf(error)
  }
}

const untraced: FileTrace = (_subject, capabilities, act) => act(capabilities)

function failureOf(error: unknown): ToolResult {
  const text = `The tool failed: ${messageOf(error)}`
  return { ok: false, text, summary: text, undo: null }
}

/** What is left behind is cleared away at the next start; the effect has ended either way. */
async function closed(capabilities: OpenCapabilities, nonce: string): Promise<void> {
  await capabilities.close().catch((error: unknown) => {
    process.stderr.write(`what ${nonce} kept for itself was not removed: ${messageOf(error)}\n`)
  })
}

function useOf({ permit: { subject }, digest }: ReadPermit): PermitUse {
  const { nonce, key, tool } = subject
  return { nonce, digest, key, effect: tool.effect, secret: outcomeKey(subject) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
