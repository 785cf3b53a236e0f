/** What tools need of models that make or hear more than text. */
import type { MakingTask, MediaReply } from '@countersign/contract'
import type { Meter } from './meter.ts'

export interface MediaPort {
  /** Never rejects: a failure is an answer that says what to do next. The call is reserved and settled with the meter. */
  make(task: MakingTask, signal: AbortSignal, meter: Meter): Promise<MediaReply>
}
