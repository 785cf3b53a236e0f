/**
 * Owns which call of a program gets which answer. A program that is run again must make the calls that it made before,
 * in their order; one that makes another gets no answer that was meant for the first, and ends.
 */
import { canonicalText, type JsonObject, parseStrict } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { ScriptAnswer } from '@countersign/tools'
import type { EmbeddingCallAnswer, RawCall } from './message.ts'

/** Each is asked about every call. Replaced only by tests that prove what a check is for. */
export interface ReplayChecks {
  /** Why the program may not make the call. */
  granted(tool: string, refusal: (tool: string) => string | null): string | null
  /** Whether the answer was given to this very call. */
  repeated(answer: ScriptAnswer, hash: string): boolean
}

export const replayChecks: ReplayChecks = {
  granted: (tool, refusal) => refusal(tool),
  repeated: (answer, hash) => answer.call === hash,
}

export type ReplayStep =
  | { readonly kind: 'answers'; readonly answers: readonly EmbeddingCallAnswer[] }
  /** None of these has an answer yet. */
  | { readonly kind: 'calls'; readonly calls: readonly NeededCall[] }
  | { readonly kind: 'failed'; readonly reason: string }

export interface NeededCall {
  readonly tool: string
  readonly args: JsonObject
}

export interface Replay {
  /** The calls that the program waits for at one time. */
  answer(calls: readonly RawCall[]): ReplayStep
  /** Whether every answer was used. */
  isSpent(): boolean
}

export const notRepeated = 'It did not repeat itself: run again with the same answers, it made other calls.'

export function createReplay(
  { journal, refusal }: { journal: readonly ScriptAnswer[]; refusal: (tool: string) => string | null },
  checks: ReplayChecks = replayChecks,
): Replay {
  let used = 0
  return {
    answer(calls) {
      const read = calls.map((call) => readCall(call, (tool) => checks.granted(tool, refusal)))
      const needed = read.flatMap((each) => (each.kind === 'call' ? [each.call] : []))
      const given = journal.slice(used, used + needed.length)
      if (needed.length > 0 && given.length === 0) return { kind: 'calls', calls: needed }
      const isSame = needed.every((call, index) => {
        const answer = given[index]
        return answer !== undefined && checks.repeated(answer, hashOf(call))
      })
      if (!isSame) return { kind: 'failed', reason: notRepeated }
      used += needed.length
      const left = given.values()
      const answers = read.map((each) => {
        const answer = each.kind === 'call' ? left.next().value : undefined
        return answer ?? { ok: false, text: each.kind === 'refused' ? each.reason : notRepeated }
      })
      return { kind: 'answers', answers: answers.map(({ ok, text }) => ({ ok, text })) }
    },
    isSpent: () => used === journal.length,
  }
}

/** What binds an answer to the call that it was given to. */
export function hashOf({ tool, args }: NeededCall): string {
  return sha256Hex(`${tool}\n${canonicalText(args)}`)
}

type ReadCall =
  | { readonly kind: 'call'; readonly call: NeededCall }
  | { readonly kind: 'refused'; readonly reason: string }

const longestArgs = 200_000

function readCall({ tool, args }: RawCall, refused: (tool: string) => string | null): ReadCall {
  const reason = refused(tool)
  if (reason !== null) return { kind: 'refused', reason }
  const parsed = parseStrict(args, { bytes: longestArgs })
  if (parsed.kind === 'refused')
    return {
      kind: 'refused',
      reason: `The arguments for ${tool} are not JSON as it takes it: ${parsed.reason}.`,
    }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'refused', reason: `The arguments for ${tool} must be an object.` }
  return { kind: 'call', call: { tool, args: value } }
}
