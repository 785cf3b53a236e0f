/** Owns what the screen is about: what waits, what of it the filter shows, and the request that the address names. */
import {
  type ApprovalDetail,
  type ApprovalView,
  callsWaiting,
  type DecidedLive,
  pendingInOrder,
} from '@countersign/contract'
import { useMemo } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import { useLive } from '../../environment/services.tsx'
import { type ApprovalGroup, filtered, grouped, toolOf } from './groups.ts'

export interface Inbox {
  /** Everything that waits, in the order of urgency. */
  readonly waiting: readonly ApprovalView[]
  /** What the filter lets through, with what belongs together in one group. */
  readonly groups: readonly ApprovalGroup[]
  /** The same, one after the other. */
  readonly order: readonly ApprovalView[]
  /** Calls that wait for their turn to be asked about. */
  readonly behind: number
  /** The newest first. */
  readonly decided: readonly DecidedLive[]
}

export function useInbox(): Inbox {
  const { search } = useRoute()
  const state = useLive((live) => live.state)
  const waiting = useMemo(() => pendingInOrder(state), [state])
  const groups = useMemo(
    () => grouped(filtered(waiting, { tier: search['tier'], tool: search['tool'], run: search['run'] })),
    [waiting, search],
  )
  return {
    waiting,
    groups,
    order: groups.flatMap((group) => group.approvals),
    behind: callsWaiting(state),
    decided: state.decided.toReversed(),
  }
}

export interface ChosenApproval {
  /** Null where the address names none. */
  readonly ref: string | null
  /** Undefined while it is asked for. */
  readonly approval: ApprovalView | undefined
  readonly detail: ApprovalDetail | undefined
  /** What it took the place of. */
  readonly replaced: ApprovalDetail | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** By its id or its code. What waits is live; what was decided is asked for. */
export function useChosenApproval(waiting: readonly ApprovalView[]): ChosenApproval {
  const ref = useRoute().parts[0] ?? null
  const detail = useGateway(['approval', ref], (client) => client.approval(ref ?? ''), {
    enabled: ref !== null,
  })
  const live = waiting.find(({ id, code }) => id === ref || code === ref)
  const approval = live ?? detail.data?.approval
  const replaces = approval?.replaces ?? null
  const replaced = useGateway(['approval', replaces ?? ''], (client) => client.approval(replaces ?? ''), {
    enabled: replaces !== null,
  })
  return {
    ref,
    approval,
    detail: detail.data,
    replaced: replaces === null ? undefined : replaced.data,
    error: detail.error,
    retry: () => void detail.refetch(),
  }
}

/** Those of the same run and tool. */
export function similarTo(waiting: readonly ApprovalView[], one: ApprovalView): readonly ApprovalView[] {
  return waiting.filter(
    (other) => other.id !== one.id && other.run === one.run && toolOf(other) === toolOf(one),
  )
}
