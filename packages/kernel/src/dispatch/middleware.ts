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
import { lockByName } from '../store/named-lock.ts'
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

/** Counts a tool's calls for each person, whichever process makes them, and refuses those above the tool's rate. */
export const rateLimits: KernelMiddleware = {
  name: 'rate limits',
  async before(unit, { tool, requester, again }) {
    const { rate } = tool
    if (!rate || again) return undefined
    const person = `${requester.kind}:${requester.id}`
    const fresh = new Date(unit.now.getTime() - rate.seconds * 1000)
    const row = await unit.db
      .insertInto('call_rates')
      .values({ operator_id: unit.operator, tool: tool.name, person, since: unit.now, calls: 1 })
      .onConflict((conflict) =>
        conflict.columns(['operator_id', 'tool', 'person']).doUpdateSet((set) => ({
          calls: set
            .case()
            .when('call_rates.since', '<=', fresh)
            .then(1)
            .else(set('call_rates.calls', '+', 1))
            .end(),
          since: set
            .case()
            .when('call_rates.since', '<=', fresh)
            .then(unit.now)
            .else(set.ref('call_rates.since'))
            .end(),
        })),
      )
      .returning(['calls', 'since'])
      .executeTakeFirstOrThrow()
    if (row.calls <= rate.calls) return undefined
    const wait = Math.ceil((row.since.getTime() + rate.seconds * 1000 - unit.now.getTime()) / 1000)
    return `${tool.name} may be used ${rate.calls} times in ${rate.seconds} seconds. Try again in ${wait} seconds.`
  },
}

/**
 * To be taken before anything else that a turn with such tools waits for. Each call locks its count, in the order of the
 * calls, and the inbox where it asks; two turns in different orders would wait for each other.
 */
export async function lockRates(unit: Unit, tools: readonly ToolFacts[]): Promise<void> {
  if (tools.every(({ rate }) => !rate)) return
  await lockByName(unit, 'rates')
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
