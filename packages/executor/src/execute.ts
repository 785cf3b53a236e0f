/**
 * Owns the way of one permit: what is known of an earlier use, the verification, the single beginning, the effect, and
 * the record of its end. A nonce that has begun never begins again.
 */
import type { AskOperator, ExecuteReply, Permit, ToolResult, WorkOnMedia } from '@countersign/contract'
import { parseArgs } from '@countersign/tools'
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
  readonly tools: ToolRuns
  now(): Date
  /** Takes values of secrets out of what is kept and told; called after the effect. */
  mask(result: ToolResult): ToolResult
  /** Replaced only by tests that prove what each check is for. */
  readonly checks?: PermitChecks
}

/** How a call that was verified is run. Whatever rejects has failed. */
export interface ToolRuns {
  /** Without `work` no model works for the call; without `ask` no server asks during it. */
  run(call: PermittedCall, signal: AbortSignal, work?: WorkOnMedia, ask?: AskOperator): Promise<ToolResult>
  /** Asks the tool whether an effect whose end nobody saw was done; nothing means that it cannot be known. */
  probe?(call: PermittedCall): Promise<ToolResult | undefined>
}

/** Resolves even on failure. The signal ends the effect, not the record of it. */
export async function executePermit(
  permit: unknown,
  parts: ExecuteParts,
  signal: AbortSignal,
  work?: WorkOnMedia,
  ask?: AskOperator,
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
  const result = masked(await parts.tools.run(call, signal, work, ask).catch(failureOf), parts)
  const reply = replyOf(result, begun.startedAt, parts)
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
  const { probe } = parts.tools
  const tool = parts.world.catalogue.definition(subject.tool.name)
  if (earlier.kind !== 'unknown' || !probe || tool?.runs !== 'executor' || !tool.probe) return undefined
  const args = parseArgs(tool, JSON.parse(subject.args))
  if (args.kind === 'invalid') return undefined
  try {
    // A memory that cannot be read does not say that it ever began, and so not that anybody verified it.
    if (!(await parts.replay.earlier(use))) return undefined
    const found = await probe({ subject, tool, args: args.args })
    if (!found) return undefined
    const reply = replyOf(masked(found, parts), earlier.startedAt, parts)
    await parts.replay.finish(use.nonce, reply)
    return reply
  } catch (error) {
    process.stderr.write(`${tool.name} could not be asked about ${use.nonce}: ${messageOf(error)}\n`)
    return undefined
  }
}

function replyOf(result: ToolResult, startedAt: string, { now }: ExecuteParts): ExecutedReply {
  if (result.unsure === true) return { kind: 'unknown', startedAt, reason: result.text }
  return { kind: 'done', startedAt, endedAt: now().toISOString(), result }
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

export function failureOf(error: unknown): ToolResult {
  const text = `The tool failed: ${messageOf(error)}`
  return { ok: false, text, summary: text, undo: null }
}

function useOf({ permit: { subject }, digest }: ReadPermit): PermitUse {
  const { nonce, key, tool } = subject
  return { nonce, digest, key, effect: tool.effect, secret: outcomeKey(subject) }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
