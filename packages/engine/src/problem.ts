/** The engine's operational failures; it never carries what a segment worked on. */
import type { SegmentRef } from './segment-ref.ts'

export type EngineProblemCode =
  /** Every slot is held by a live process. */
  | 'no_free_slot'
  /** The connection that holds the slot ended: fatal, this process may start nothing any more. */
  | 'slot_lost'
  /** The engine was closed. */
  | 'closed'
  /** The segment's body rejected; the cause is its error. The repair sweep may start it again. */
  | 'segment_failed'
  /** The segment took its process down too often and will not be tried again. */
  | 'segment_abandoned'
  /** A background look (take-over or deletion) failed; the next one tries again. */
  | 'sweep_failed'
  /** A complaint of the durable engine itself, as it worded it. */
  | 'warning'

export class EngineProblem extends Error {
  readonly code: EngineProblemCode
  readonly fatal: boolean
  readonly ref: SegmentRef | undefined

  constructor(code: EngineProblemCode, message: string, detail: { cause?: unknown; ref?: SegmentRef } = {}) {
    super(message, 'cause' in detail ? { cause: detail.cause } : undefined)
    this.name = 'EngineProblem'
    this.code = code
    this.fatal = code === 'slot_lost'
    this.ref = detail.ref
  }
}
