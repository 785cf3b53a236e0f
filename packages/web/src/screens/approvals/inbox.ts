/** Owns what the screen is about: what waits, what of it the filter shows, and the request that the address names. */
import {
  type ApprovalDetail,
  type ApprovalView,
  callsWaiting,
  type DecidedLive,
  openQuestions,
  pendingInOrder,
  type QuestionLive,
} from '@countersign/contract'
import { useMemo, useState } from 'react'
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
  /** What agents ask and wait for. */
  readonly questions: readonly QuestionLive[]
  /** How much waits for a person: requests and questions. */
  readonly count: number
  /** Calls that wait for their turn to be asked about. */
  readonly behind: number
  /** The newest first. */
  readonly decided: readonly DecidedLive[]
}

export function useInbox(): Inbox {
  const { search } = useRoute()
  const state = useLive((live) => live.state)
  const waiting = useStanding(useMemo(() => pendingInOrder(state), [state]))
  const groups = useMemo(
    () => grouped(filtered(waiting, { tier: search['tier'], tool: search['tool'], run: search['run'] })),
    [waiting, search],
  )
  const questions = useMemo(() => openQuestions(state), [state])
  return {
    waiting,
    groups,
    questions,
    count: waiting.length + questions.length,
    order: groups.flatMap((group) => group.approvals),
    behind: callsWaiting(state),
    decided: state.decided.toReversed(),
  }
}

/** More time moves nothing: a request stays in the place in which it was first seen. */
function useStanding(now: readonly ApprovalView[]): readonly ApprovalView[] {
  const [firstEnds, setFirstEnds] = useState<ReadonlyMap<string, string>>(new Map())
  const unseen = now.filter(({ id }) => !firstEnds.has(id))
  if (unseen.length > 0)
    setFirstEnds(new Map([...firstEnds, ...unseen.map(({ id, expiresAt }) => [id, expiresAt] as const)]))
  return useMemo(() => standing(now, firstEnds), [now, firstEnds])
}

/** Ordered by the end that each had at first; among equals as they came. */
export function standing(
  now: readonly ApprovalView[],
  firstEnds: ReadonlyMap<string, string>,
): readonly ApprovalView[] {
  const endOf = ({ id, expiresAt }: ApprovalView) => Date.parse(firstEnds.get(id) ?? expiresAt)
  const isMoved = now.some(({ id, expiresAt }) => (firstEnds.get(id) ?? expiresAt) !== expiresAt)
  return isMoved ? now.toSorted((one, other) => endOf(one) - endOf(other)) : now
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
