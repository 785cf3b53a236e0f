/** Owns what passes between the executor and the thread of the machine. Nothing but data: no secret, no handle. */
import type { ScriptLimits } from './limits.ts'
import type { PreludeSetup } from './prelude/globals.ts'

export interface ScriptJob {
  readonly name: string
  readonly code: string
  readonly setup: PreludeSetup
  /** The one time that the program sees, in milliseconds. */
  readonly now: number
  /** What all its randomness comes from. */
  readonly seed: string
  readonly limits: ScriptLimits
}

/** A call as the program made it: nothing about it is checked yet. */
export interface RawCall {
  readonly tool: string
  readonly args: string
}

export interface EmbeddingCallAnswer {
  readonly ok: boolean
  readonly text: string
}

/** What a program is told when it waits: an answer for each call, or that it ends here. */
export type AnswersReply =
  | { readonly kind: 'answers'; readonly answers: readonly EmbeddingCallAnswer[] }
  | { readonly kind: 'stop' }

export type MachineEnd =
  /** The value as JSON. */
  | { readonly kind: 'returned'; readonly value: string; readonly log: readonly string[] }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string; readonly log: readonly string[] }

export type ToWorker = { readonly kind: 'run'; readonly job: ScriptJob } | AnswersReply

export type FromWorker =
  /** With the processor time that the thread had used by then, in microseconds. */
  | { readonly kind: 'began'; readonly cpuMicros: number }
  | { readonly kind: 'waits'; readonly calls: readonly RawCall[] }
  | { readonly kind: 'ended'; readonly end: MachineEnd }
