/** What whoever calls a provider must tell about money. Amounts are whole billionths of a dollar, so that they add up. */
import type { Purpose } from '@countersign/contract'
import type { FailureKind, ModelUsage } from './usage.ts'

export interface Meter {
  /** The run that its calls are for, where there is one. */
  readonly run?: string
  /** The state of the operator's settings, where it was seen a moment ago. Says it once: what comes later looks itself. */
  settingsSeen?(): string | undefined
  /** Sets the worst case aside before the call. Refused when a hard limit would be passed; then nothing is called. */
  reserve(planned: PlannedCall): Promise<Reservation>
  /** Tells what a call came to. Owed for every reservation, whatever became of the call. Safe to repeat. */
  settle(id: string, spent: SpentCall): Promise<void>
}

export interface PlannedCall {
  readonly provider: string
  readonly model: string
  readonly purpose: Purpose
  readonly worstNanos: number
}

export type Reservation =
  | { readonly kind: 'reserved'; readonly id: string }
  | { readonly kind: 'refused'; readonly shortage: Shortage }

export interface SpentCall {
  readonly outcome: 'delivered' | FailureKind
  readonly usage: ModelUsage
  /** The provider did not say what it used, so the figures are ours. */
  readonly estimated: boolean
  readonly costNanos: number
  readonly firstTokenMs: number | null
  readonly totalMs: number
}

/** The limit that a call would have passed. */
export interface Shortage {
  /** The budget's name, such as `global:month`, or `guard`. */
  readonly budget: string
  /** Whose share of the budget: an agent, a run, or nobody's in particular. */
  readonly subject: string
  /** The period in which it is short, such as `2026-11`. */
  readonly period: string
  readonly limitNanos: number
  /** Spent and set aside by others. */
  readonly takenNanos: number
  /** What the refused call would need at worst. */
  readonly neededNanos: number
  readonly message: string
}
