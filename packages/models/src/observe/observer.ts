/** What may be seen of every call to a provider. Whoever looks must take secrets out before keeping anything. */
import type { ModelReply, ModelRequest, SpentCall } from '@countersign/agent'

export interface ObservedCall {
  /** The reservation's id. */
  readonly id: string
  readonly provider: string
  readonly kind: string
  readonly model: string
  readonly request: ModelRequest
  readonly startedAt: Date
  /** The run that it is for, where the meter says so. */
  readonly run?: string
}

export interface ObservedEnd {
  readonly spent: SpentCall
  /** Absent where none came. */
  readonly reply?: ModelReply
  readonly problem?: string
}

export interface CallObserver {
  began(call: ObservedCall): void
  ended(call: ObservedCall, end: ObservedEnd): void
}
