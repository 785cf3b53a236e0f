/** Owns what a call may do to the memory, by what led to it: put in use at once, or only suggest. */
import {
  joinLabels,
  type Label,
  type MemoryContext,
  type MemorySource,
  operatorLabel,
} from '@countersign/contract'
import type { RecordToolContext } from '../record-tool-context.ts'
import { keptLabel } from '../records/kept-label.ts'

export function keepContext(context: RecordToolContext): MemoryContext {
  const label = doubtfulLabel(context)
  return { uuid: () => context.uuid(), label, status: label === null ? 'active' : 'suggested' }
}

/** What led to the call, where that is not enough to change what is remembered; null where it is. */
export function doubtfulLabel(context: RecordToolContext): Label | null {
  const kept = keptLabel(context)
  if (kept) return kept
  const { cause } = context
  const isForeign = cause?.requester.kind === 'peer' || cause?.requester.kind === 'webhook'
  if (!cause || (!isForeign && cause.label.integrity !== 'paired')) return null
  const integrity = cause.requester.kind === 'webhook' ? 'untrusted' : 'paired'
  return joinLabels(cause.label, { ...operatorLabel, integrity })
}

/** That an agent wrote it down, and where. */
export function agentSource(context: RecordToolContext): MemorySource {
  const { cause } = context
  return { kind: 'agent', ...(cause ? { session: cause.session, run: cause.run } : {}) }
}

export const waitsWords =
  'It waits for the operator’s review and is not used before, because content from outside led to it.'
