/**
 * Owns what is kept of an answer of a node, which may be taken over: words, marked as its own and cut to a length that
 * nothing suffers from, times that a database can keep, and how to take the effect back on that same node. Pure.
 */
import type { ExecuteReply, ExecutorReply, LookReply, Permit, ResolveReply } from '@countersign/contract'

const longestReason = 1_000
const longestSummary = 1_000
/** More than the tools of nodes ever answer. */
const longestText = 1_200_000
/** Clocks of other computers are wrong by minutes or hours; what is wrong by more is not a time of this call. */
const furthestMs = 24 * 60 * 60_000
/** What a look repeats of the call, in quotes and escaped, and what it adds. */
const spaceOfLook = 20_000
const timesTheCall = 16

/** What the node said of the call, or that it cannot be used. */
export function lookOf(reply: ResolveReply, call: { readonly args: string }, name: string): LookReply {
  if (reply.kind === 'invalid') return { ...reply, reason: words(reply.reason, longestReason), by: 'node' }
  if (reply.kind === 'unavailable') {
    const { reason, fix } = reply
    return {
      kind: 'unavailable',
      reason: words(reason, longestReason),
      fix: words(fix, longestReason),
      by: 'node',
    }
  }
  const text = JSON.stringify(reply)
  if (text.length > spaceOfLook + timesTheCall * call.args.length)
    return { kind: 'invalid', reason: `${name} said more of the call than can be shown.` }
  return isWritable(text)
    ? reply
    : { kind: 'invalid', reason: `${name} said of the call what cannot be written.` }
}

/**
 * Of what a node answers only the words count, and how to take the effect back on that same node. It can neither ask
 * for calls, nor say what its words are worth, nor speak of files and pictures of the workspace.
 */
export function answerOf(
  reply: ExecuteReply,
  { seal }: Permit,
  host: {
    readonly now: Date
    readonly isOwnUndo: (undo: { readonly tool: string; readonly args: string }) => boolean
  },
): ExecutorReply {
  if (reply.kind === 'refused') return { ...reply, reason: words(reply.reason, longestReason), by: 'node' }
  const at = (text: string) => timeOr(text, { decidedAt: new Date(seal.decidedAt), now: host.now })
  const startedAt = at(reply.startedAt)
  if (reply.kind === 'unknown') {
    const reason = words(reply.reason ?? '', longestReason)
    return { kind: 'unknown', startedAt, ...(reason === '' ? {} : { reason }), by: 'node' }
  }
  const { ok, undo } = reply.result
  const result = {
    ok,
    text: reply.result.text.slice(0, longestText).toWellFormed(),
    summary: words(reply.result.summary, longestSummary),
    undo: undo !== null && isWritable(JSON.stringify(undo)) && host.isOwnUndo(undo) ? undo : null,
  }
  return { kind: 'done', startedAt, endedAt: at(reply.endedAt), result }
}

/** In one line, without what would move or hide the words beside it. */
export function words(text: string, most: number): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
}

/** As JSON: neither a zero character nor half of one, which no database keeps. */
function isWritable(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(json)
}

function timeOr(text: string, { decidedAt, now }: { readonly decidedAt: Date; readonly now: Date }): string {
  const time = Date.parse(text)
  const isNear = time > decidedAt.getTime() - furthestMs && time < now.getTime() + furthestMs
  return new Date(isNear ? time : now).toISOString()
}
