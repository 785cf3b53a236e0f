/** What the ledger is told: an entry before it has its number, and who did it. */
import type { ApprovalId, CallId, JsonObject, RunId, SessionId } from '@countersign/contract'

export interface Actor {
  readonly kind: 'operator' | 'agent' | 'gateway' | 'executor'
  readonly id: string
}

/** An entry before it has its number. */
export interface EntryDraft {
  readonly type: string
  readonly actor: Actor
  readonly session?: SessionId
  readonly run?: RunId
  readonly call?: CallId
  readonly approval?: ApprovalId
  readonly data: JsonObject
  /** Whether its session is private, where whoever records it knows. */
  readonly isPrivate?: boolean
}
