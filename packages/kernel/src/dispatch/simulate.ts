/**
 * Owns what another policy would have said to the calls that were made: the facts of each are judged again, by the
 * functions and the grants by which the door would judge them now. Changes nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Decision, OperatorId, RunId, SessionId, Tier } from '@countersign/contract'
import {
  factsOf,
  judgeBare,
  judgeGranted,
  mayBeGranted,
  type PolicySet,
  withinGatewayReach,
} from '@countersign/policy'
import { type StandingGrant, speaksFor, standingGrants } from '../approvals/grants.ts'
import type { Db, Store } from '../store/store.ts'
import type { JudgedCall } from '../store/tables.ts'

/** A call that was decided, with where it was made. */
export interface PastCall {
  readonly id: string
  readonly run: RunId
  readonly session: SessionId
  readonly at: Date
  readonly headline: string
  readonly agent: string
  readonly goal: string | null
  readonly judged: JudgedCall
  readonly decision: Decision | null
}

export interface SimulatedPolicy {
  readonly set: PolicySet
  readonly passkeyTools: readonly string[]
}

export interface SimulationOptions {
  readonly since: Date
  readonly now: Date
  /** The tier that a tool never goes below by itself, whatever is said of passkeys. */
  readonly floorOf: (tool: string) => Tier | undefined
}

export interface JudgedAgain {
  readonly call: PastCall
  readonly before: Decision
  readonly after: Decision
}

/** The newest; more would take longer than a person waits. */
const mostCalls = 10_000
const callsPerTurn = 100

export async function simulate(
  store: Store,
  operator: OperatorId,
  policies: { readonly before: SimulatedPolicy; readonly after: SimulatedPolicy },
  options: SimulationOptions,
): Promise<JudgedAgain[]> {
  const { calls, grants } = await store.read(operator, async (db) => ({
    calls: await pastCalls(db, options.since),
    grants: await standingGrants(db, options.now),
  }))
  const before = judgeBy(policies.before, grants, options.floorOf)
  const after = judgeBy(policies.after, grants, options.floorOf)
  const judged: JudgedAgain[] = []
  for (const [at, call] of calls.entries()) {
    // Others are served meanwhile.
    if (at % callsPerTurn === callsPerTurn - 1) await nextTurn()
    judged.push({ call, before: before(call), after: after(call) })
  }
  return judged
}

/** Judges one call after the other; grants are used up on the way, as they would be. */
export function judgeBy(
  { set, passkeyTools }: SimulatedPolicy,
  grants: readonly StandingGrant[],
  floorOf: SimulationOptions['floorOf'],
): (call: PastCall) => Decision {
  const left = Map.groupBy(
    grants.map((grant) => ({ ...grant })),
    ({ tool }) => tool,
  )
  return ({ judged, decision: was, session, run, agent, goal }) => {
    const { tool, resources, effects, argsHash, label } = judged
    const own = tool.floor === 4 ? (floorOf(tool.name) ?? 4) : tool.floor
    const floor = passkeyTools.includes(tool.name) ? 4 : own
    const facts = factsOf({ ...judged, tool: { ...tool, floor } })
    // The same policy says the same to the same facts; only grants come and go.
    const isKnown =
      judged.policy === set.hash && floor === tool.floor && was !== null && was.grant === undefined
    const decision = isKnown ? was : judgeBare(facts, set).decision
    const grantable = decision.kind === 'ask' && mayBeGranted(facts)
    if (!grantable) return withinGatewayReach(decision)
    const subject = { tool: tool.name, resources, effects, argsHash, session, run, agent, goal }
    const isTainted = label.integrity === 'untrusted'
    const grant = left.get(tool.name)?.find((each) => speaksFor(each, subject, isTainted))
    if (!grant) return withinGatewayReach(decision)
    const granted = withinGatewayReach(judgeGranted(facts, grant, set))
    if (granted.grant !== undefined && granted.kind === 'allow') grant.uses += 1
    return granted
  }
}

/** How many there are to judge. */
export async function countPastCalls(db: Db, since: Date): Promise<number> {
  const row = await db
    .selectFrom('calls')
    .innerJoin('runs', 'runs.id', 'calls.run_id')
    .select(({ fn }) => fn.countAll<string>().as('calls'))
    .where('calls.judged', 'is not', null)
    .where('runs.started_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Math.min(Number(row.calls), mostCalls)
}

/** In the order in which they were made. */
export async function pastCalls(db: Db, since: Date): Promise<PastCall[]> {
  const rows = await db
    .selectFrom('calls')
    .innerJoin('runs', 'runs.id', 'calls.run_id')
    .select([
      'calls.id',
      'calls.run_id as run',
      'calls.session_id as session',
      'calls.headline',
      'calls.judged',
      'calls.decision',
      'runs.agent',
      'runs.goal',
    ])
    .select(({ fn }) =>
      fn.coalesce('calls.intended_at', 'calls.started_at', 'calls.ended_at', 'runs.started_at').as('at'),
    )
    .where('calls.judged', 'is not', null)
    .where('runs.started_at', '>=', since)
    .orderBy('runs.started_at', 'desc')
    .orderBy('calls.turn', 'desc')
    .orderBy('calls.position', 'desc')
    .limit(mostCalls)
    .execute()
  return rows.toReversed().flatMap(({ judged, ...row }) => (judged ? [{ ...row, judged }] : []))
}
