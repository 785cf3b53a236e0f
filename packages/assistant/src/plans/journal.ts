/**
 * Owns what a plan remembers, which is only what the loop journals anyway: the ids of its calls with their results, and
 * lines of JSON in its own replies for what no call says.
 */
import type { ModelMessage } from '@countersign/agent'
import { z } from 'zod'

export interface CallResult {
  readonly text: string
  readonly isError: boolean
}

export type DecidedStep =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string }

/** What happened so far, by call or by step and round. */
export interface PlanHistory {
  readonly results: Map<string, CallResult>
  /** Calls that were proposed, whether they are over or not. */
  readonly proposed: Set<string>
  readonly decided: Map<string, DecidedStep>
  /** When the first attempt of a step with a time limit began. */
  readonly began: Map<string, string>
  /** Steps that used their time up. */
  readonly late: Set<string>
  /** Steps, in whatever round, that the operator said to leave out. */
  readonly skipped: Set<string>
  /** The version of the plan that the run began with. */
  version: number | undefined
  ended: PlanEnd | undefined
}

export interface PlanEnd {
  readonly status: 'completed' | 'failed'
  /** How many steps came to what. Nothing of their results, which may be worth less than the plan. */
  readonly words: string
}

const JournalLine = z.union([
  z.strictObject({ step: z.string(), answer: z.string() }),
  z.strictObject({ step: z.string(), none: z.string() }),
  z.strictObject({ step: z.string(), began: z.string() }),
  z.strictObject({ step: z.string(), late: z.literal(true) }),
  z.strictObject({ step: z.string(), skipped: z.literal(true) }),
  z.strictObject({ version: z.int() }),
  z.strictObject({ ended: z.enum(['completed', 'failed']), words: z.string() }),
])
export type JournalLine = z.infer<typeof JournalLine>

/** A step in a round: `fetch:0` outside of loops, `fetch:2.1` in the first round of a loop in the second of another. */
export function keyOf(step: string, rounds: readonly number[]): string {
  return `${step}:${rounds.length === 0 ? '0' : rounds.join('.')}`
}

export function callIdOf(key: string, attempt: number): string {
  return `plan:${key}:${attempt}`
}

/** Keeps answers that were paid for when nothing else is to be said: a call that is answered and never made. */
export function noteCall(number: number) {
  return { id: `plan:note:${number}`, name: 'plan', args: '{}', problem: 'Noted.' }
}

export function lineText(line: JournalLine): string {
  return JSON.stringify(line)
}

export function readJournal(messages: readonly ModelMessage[]): PlanHistory {
  const known: PlanHistory = {
    results: new Map(),
    proposed: new Set(),
    decided: new Map(),
    began: new Map(),
    late: new Set(),
    skipped: new Set(),
    version: undefined,
    ended: undefined,
  }
  for (const message of messages) {
    if (message.role === 'tool')
      for (const { callId, text, isError } of message.results) known.results.set(callId, { text, isError })
    if (message.role !== 'assistant') continue
    for (const { id } of message.calls) known.proposed.add(id)
    for (const text of message.text.split('\n')) {
      const line = lineIn(text)
      if (line) remember(known, line)
    }
  }
  return known
}

export function remember(known: PlanHistory, line: JournalLine): void {
  if ('version' in line) known.version ??= line.version
  else if ('ended' in line) known.ended = { status: line.ended, words: line.words }
  else if ('answer' in line) known.decided.set(line.step, { kind: 'answer', text: line.answer })
  else if ('none' in line) known.decided.set(line.step, { kind: 'none', reason: line.none })
  else if ('began' in line) known.began.set(line.step, known.began.get(line.step) ?? line.began)
  else if ('skipped' in line) known.skipped.add(line.step)
  else known.late.add(line.step)
}

/** Words of the report never begin with a brace. */
function lineIn(text: string): JournalLine | undefined {
  if (!text.startsWith('{"')) return undefined
  try {
    return JournalLine.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
