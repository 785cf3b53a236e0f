/** Owns what a call may do to the memory, by what led to it: put in use at once, or only suggest. */
import {
  joinLabels,
  type Label,
  type MemoryContext,
  type MemorySource,
  operatorLabel,
} from '@countersign/contract'
import type { Desk } from '../desk.ts'
import { keptLabel } from '../records/kept-label.ts'

export function standing(desk: Desk): MemoryContext {
  const label = doubt(desk)
  return { uuid: () => desk.uuid(), label, status: label === null ? 'active' : 'suggested' }
}

/** What led to the call, where that is not enough to change what is remembered; null where it is. */
export function doubt(desk: Desk): Label | null {
  const kept = keptLabel(desk)
  if (kept) return kept
  const { cause } = desk
  const isForeign = cause?.requester.kind === 'peer' || cause?.requester.kind === 'webhook'
  if (!cause || (!isForeign && cause.label.integrity !== 'paired')) return null
  const integrity = cause.requester.kind === 'webhook' ? 'untrusted' : 'paired'
  return joinLabels(cause.label, { ...operatorLabel, integrity })
}

/** That an agent wrote it down, and where. */
export function agentSource(desk: Desk): MemorySource {
  const { cause } = desk
  return { kind: 'agent', ...(cause ? { session: cause.session, run: cause.run } : {}) }
}

export const waitsWords =
  'It waits for the operator’s review and is not used before, because content from outside led to it.'
