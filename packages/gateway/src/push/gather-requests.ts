/**
 * Owns gathering the requests of one run for a moment, so that many are told as one. A request that was decided in that
 * moment is not told. What is gathered when it closes is not told: the requests are in the inbox.
 */
import type { ApprovalId, EventBody, RunId } from '@countersign/contract'
import type { ApprovalRequested } from './message.ts'

export interface GatheredRequests {
  /** Whether the event is about a request and needs nothing more. */
  take(body: EventBody): boolean
  close(): void
}

/** Does it a moment later, unless it is cancelled with what is given back. */
export type DelayedAct = (act: () => void) => () => void

/** The cards of one turn are written within this time, and nobody misses it. */
const gatherMs = 1_000

export const afterGathering: DelayedAct = (act) => {
  const timer = setTimeout(act, gatherMs)
  return () => clearTimeout(timer)
}

export function gatherRequests(options: {
  readonly later: DelayedAct
  /** One or more requests of one run. */
  readonly tell: (requests: readonly ApprovalRequested[]) => void
}): GatheredRequests {
  const gathered = new Map<
    RunId,
    { readonly requests: Map<ApprovalId, ApprovalRequested>; readonly cancel: () => void }
  >()

  function begin(run: RunId): Map<ApprovalId, ApprovalRequested> {
    const requests = new Map<ApprovalId, ApprovalRequested>()
    const cancel = options.later(() => {
      gathered.delete(run)
      if (requests.size > 0) options.tell([...requests.values()])
    })
    gathered.set(run, { requests, cancel })
    return requests
  }

  return {
    take(body) {
      if (body.type === 'approval.requested') {
        const { id, run } = body.approval
        const requests = gathered.get(run)?.requests ?? begin(run)
        requests.set(id, body)
        return true
      }
      if (body.type !== 'approval.decided') return false
      gathered.get(body.run)?.requests.delete(body.approval)
      return true
    },
    close() {
      for (const { cancel } of gathered.values()) cancel()
      gathered.clear()
    },
  }
}
