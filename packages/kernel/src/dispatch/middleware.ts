/**
 * Owns what stands around every call: each may refuse it before policy is asked, in the order given, and each hears
 * how it ended, in the reverse order.
 */
import type {
  CallId,
  CallOutcome,
  Effect,
  Label,
  Requester,
  Resource,
  RunId,
  SessionId,
  Tier,
  ToolFacts,
} from '@countersign/contract'
import type { Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'

export interface CallInReview {
  readonly id: CallId
  readonly tool: ToolFacts
  /** Canonical. */
  readonly args: string
  readonly requester: Requester
  /** It was decided about before and is authorized anew. */
  readonly again: boolean
  /** The run that makes it, and what that is done for. */
  readonly run: Work & { readonly id: RunId; readonly session: SessionId }
  readonly tier: Tier
  readonly effects: readonly Effect[]
  readonly resources: readonly Resource[]
}

/** What is still known of a call when it has ended. */
export type EndedCallFacts = Pick<CallInReview, 'id' | 'tool' | 'requester' | 'again'>

export interface CallSubstitute {
  readonly instead: string
  /** What the answer is worth; the run takes it in. */
  readonly label: Label
}

/** What code outside of the kernel is given is less than a unit of the kernel. */
export interface KernelMiddleware<Given = Unit> {
  readonly name: string
  /** Within the transaction of the decision. A reason refuses the call; an answer takes its place, and nothing runs. */
  before?(unit: Given, call: CallInReview): Promise<string | CallSubstitute | undefined>
  /** Within the transaction of the outcome. */
  after?(unit: Given, call: EndedCallFacts, end: { outcome: CallOutcome; ms: number | null }): Promise<void>
}

/** The first refusal of the middleware, if there is one. */
export async function middlewareRefusal(
  unit: Unit,
  call: CallInReview,
  middleware: readonly KernelMiddleware[],
): Promise<string | CallSubstitute | undefined> {
  for (const each of middleware) {
    const reason = await each.before?.(unit, call)
    if (reason !== undefined) return reason
  }
  return undefined
}

export async function tellMiddleware(
  unit: Unit,
  call: EndedCallFacts,
  end: { outcome: CallOutcome; ms: number | null },
  middleware: readonly KernelMiddleware[],
): Promise<void> {
  for (const each of middleware.toReversed()) await each.after?.(unit, call, end)
}
