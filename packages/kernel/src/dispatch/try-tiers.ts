/**
 * Owns what the policy in force would say to past calls of one tool if they counted for something else. Each is judged
 * twice, as it was and as it would be. Changes nothing.
 */
import type { Decision, OperatorId } from '@countersign/contract'
import { standingGrants } from '../approvals/grants.ts'
import { compiled, type Policies } from '../policies/policies.ts'
import type { Db, Store } from '../store/store.ts'
import type { JudgedCall } from '../store/tables.ts'
import { judgeBy, type PastCall, type SimulationOptions } from './simulate.ts'

export interface CallTrial extends SimulationOptions {
  readonly tool: string
  /** What it would have been; nothing for a call that is not meant. */
  readonly instead: (judged: JudgedCall, args: string) => JudgedCall | undefined
}

export interface CallTried {
  readonly args: string
  readonly at: Date
  readonly before: Decision
  readonly after: Decision
}

/** The newest; more would take longer than a person waits. */
const mostCalls = 2_000

export async function tryOnCalls(
  store: Store,
  operator: OperatorId,
  { policies, ...trial }: CallTrial & { readonly policies: Policies },
): Promise<CallTried[]> {
  const { calls, grants } = await store.read(operator, async (db) => ({
    calls: await callsOf(db, trial),
    grants: await standingGrants(db, trial.now),
  }))
  const { document } = policies.version()
  // Compiled anew: the live one may be let go of while the calls are judged.
  const set = compiled(document)
  try {
    const parts = { set, passkeyTools: document.passkeyTools }
    const before = judgeBy(parts, grants, trial.floorOf)
    const after = judgeBy(parts, grants, trial.floorOf)
    return calls.flatMap(({ args, ...call }) => {
      const judged = trial.instead(call.judged, args)
      if (!judged) return []
      // What was decided of it was about something else.
      const other = { ...call, judged, decision: null }
      return [{ args, at: call.at, before: before(call), after: after(other) }]
    })
  } finally {
    set.dispose()
  }
}

async function callsOf(
  db: Db,
  { tool, since }: Pick<CallTrial, 'tool' | 'since'>,
): Promise<(PastCall & { readonly args: string })[]> {
  const rows = await db
    .selectFrom('calls')
    .innerJoin('runs', 'runs.id', 'calls.run_id')
    .select([
      'calls.id',
      'calls.run_id as run',
      'calls.session_id as session',
      'calls.headline',
      'calls.args',
      'calls.judged',
      'calls.decision',
      'runs.agent',
      'runs.goal',
      'runs.started_at as at',
    ])
    .where('calls.tool', '=', tool)
    .where('calls.judged', 'is not', null)
    .where('runs.started_at', '>=', since)
    .orderBy('runs.started_at', 'desc')
    .orderBy('calls.turn', 'desc')
    .orderBy('calls.position', 'desc')
    .limit(mostCalls)
    .execute()
  return rows.toReversed().flatMap(({ judged, ...row }) => (judged ? [{ ...row, judged }] : []))
}
