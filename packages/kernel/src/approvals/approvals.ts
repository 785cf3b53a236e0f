/**
 * Owns approval requests: one durable record each, that waits as long as it must and is decided once. Surfaces are
 * views of it. Nothing here runs anything; an approval only lets a permit be spent.
 */
import {
  type ApprovalId,
  type ApprovalView,
  CountersignError,
  type DecideApproval,
  type Exchange,
  type GrantId,
  type OperatorId,
  type RuleRequest,
  type RunId,
} from '@countersign/contract'
import { lockRun, type RunRow } from '../store/run-row.ts'
import type { Actor, Store, Unit } from '../store/store.ts'
import { type ApprovalRow, subjectOf } from './approval-row.ts'
import { viewOfApproval } from './approval-view.ts'
import { createGrant, grantSubjectOf } from './grants.ts'
import {
  type ApprovalDraft,
  closeRequest,
  extendRequest,
  noteExchange,
  type RequestEnd,
  recordRequest,
  spend,
  supersede,
  tooLateError,
  withdraw,
} from './requests.ts'
import { type Decider, requireApproved, type SealPorts, sealFor } from './seal-verdict.ts'

export interface ApprovalsOptions extends SealPorts {
  readonly store: Store
  readonly uuid: () => string
  readonly random: (below: number) => number
  /** Something waits no longer; told after the commit. */
  readonly freed: (operator: OperatorId) => void
  /** What a verdict means for the call, in the same unit. */
  readonly requestClosed: (unit: Unit, approval: ApprovalRow, run: RunRow) => Promise<void>
}

export interface DecidedApproval {
  readonly row: ApprovalRow
  readonly grant: GrantId | null
  readonly ledger: number
}

export interface ChangedApproval {
  readonly approval: ApprovalView
  readonly ledger: number
}

export interface Approvals {
  /** Records the request. The subject must already say which approval it belongs to. */
  request(unit: Unit, draft: ApprovalDraft): Promise<ApprovalRow>
  /** By its id, or by the code that people type. */
  find(operator: OperatorId, ref: string): Promise<ApprovalRow>
  /** The verdict of a person. The first one wins; everyone else is told who and when. */
  decide(operator: OperatorId, ref: string, verdict: DecideApproval, actor: Decider): Promise<DecidedApproval>
  /** A rule made of a request that was approved before, by whoever may approve such a call. */
  grantAfterwards(
    operator: OperatorId,
    approval: ApprovalId,
    rule: RuleRequest,
    actor: Decider,
  ): Promise<{ readonly grant: GrantId; readonly ledger: number }>
  /** Undefined when somebody was first, and when a person decides after its end. The caller holds the run's lock. */
  closeRequest(unit: Unit, id: ApprovalId, end: RequestEnd): Promise<ApprovalRow | undefined>
  /** What to say when no request was closed. */
  tooLate(unit: Unit, id: ApprovalId): Promise<CountersignError>
  extend(operator: OperatorId, ref: string, hours: number, actor: Actor): Promise<ChangedApproval>
  /** Keeps what the operator asked about a request and what the agent said. */
  note(operator: OperatorId, ref: string, exchange: Exchange, actor: Actor): Promise<ChangedApproval>
  /** An approval that was given but can no longer be spent: the world it was given for is gone. */
  supersede(unit: Unit, id: ApprovalId, reason: string): Promise<void>
  /** Uses the approval up. False when it was used, withdrawn or has lapsed. */
  spend(unit: Unit, id: ApprovalId): Promise<boolean>
  /** Withdraws what still waits in a run, with the operator's words as the reason. */
  withdraw(unit: Unit, run: RunId, words: string, actor: Actor): Promise<ApprovalRow[]>
  /** Ends the requests whose time is over; their runs are told. */
  expire(now: Date): Promise<void>
}

export function createApprovals(options: ApprovalsOptions): Approvals {
  const { store, freed } = options

  async function find(operator: OperatorId, ref: string): Promise<ApprovalRow> {
    const row = await store.single(operator, (db) => {
      const all = db.selectFrom('approvals').selectAll()
      const wanted = ref.startsWith('apr_')
        ? all.where('id', '=', ref as ApprovalId)
        : all.where('code', '=', ref.toUpperCase())
      return wanted.orderBy('id', 'desc').limit(1).executeTakeFirst()
    })
    if (!row) throw new CountersignError('not_found', `There is no approval ${ref}.`)
    return row
  }

  async function decide(
    operator: OperatorId,
    ref: string,
    verdict: DecideApproval,
    actor: Decider,
  ): Promise<DecidedApproval> {
    const seen = await find(operator, ref)
    const seal = verdict.verdict === 'approve' ? await sealFor(options, seen, verdict, actor) : null
    const committed = await store.transact(operator, async (unit) => {
      const run = await lockRun(unit, seen.run_id)
      if (!run) throw new CountersignError('not_found', `There is no run ${seen.run_id}.`)
      const row = await closeRequest(
        unit,
        seen.id,
        {
          state: verdict.verdict === 'approve' ? 'approved' : 'denied',
          by: actor,
          reason: verdict.verdict === 'deny' ? verdict.reason : null,
          seal,
        },
        freed,
      )
      if (!row) throw await tooLateError(unit, seen.id)
      const grant =
        verdict.verdict === 'approve' && verdict.grant
          ? await createGrant(
              unit,
              { id: row.id, offers: row.offers, ...grantSubjectOf(subjectOf(row), row.card, run.goal) },
              verdict.grant,
              actor,
              options.uuid,
            )
          : null
      await options.requestClosed(unit, row, run)
      return { row, grant }
    })
    return { ...committed.value, ledger: committed.ledger }
  }

  async function grantAfterwards(
    operator: OperatorId,
    approval: ApprovalId,
    rule: RuleRequest,
    actor: Decider,
  ) {
    const row = await find(operator, approval)
    requireApproved(row, rule, actor)
    const { value, ledger } = await store.transact(operator, async (unit) => {
      const run = await lockRun(unit, row.run_id)
      const subject = grantSubjectOf(subjectOf(row), row.card, run?.goal ?? null)
      return createGrant(unit, { id: row.id, offers: row.offers, ...subject }, rule, actor, options.uuid)
    })
    return { grant: value, ledger }
  }

  async function expire(now: Date): Promise<void> {
    const due = await store.system
      .selectFrom('deadlines')
      .selectAll()
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(200)
      .execute()
    for (const { approval_id: id, operator_id: operator } of due) {
      await store.transact(operator, async (unit) => {
        const { run_id } = await unit.db
          .selectFrom('approvals')
          .select('run_id')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const run = await lockRun(unit, run_id)
        const gateway: Actor = { kind: 'gateway', id: 'gateway' }
        const row = await closeRequest(
          unit,
          id,
          {
            state: 'expired',
            by: gateway,
            reason: null,
            seal: null,
            due: now,
          },
          freed,
        )
        if (row && run) await options.requestClosed(unit, row, run)
      })
    }
  }

  async function changed(
    operator: OperatorId,
    ref: string,
    change: (unit: Unit, row: ApprovalRow) => Promise<ApprovalRow>,
  ): Promise<ChangedApproval> {
    const found = await find(operator, ref)
    const { value, ledger } = await store.transact(operator, (unit) => change(unit, found))
    return { approval: viewOfApproval(value), ledger }
  }

  return {
    request: (unit, draft) => recordRequest(unit, draft, options.random),
    find,
    decide,
    grantAfterwards,
    closeRequest: (unit, id, end) => closeRequest(unit, id, end, freed),
    tooLate: tooLateError,
    extend: (operator, ref, hours, actor) =>
      changed(operator, ref, (unit, row) => extendRequest(unit, row, hours, actor)),
    note: (operator, ref, exchange, actor) =>
      changed(operator, ref, (unit, row) => noteExchange(unit, row, exchange, actor)),
    supersede,
    spend,
    withdraw: (unit, run, words, actor) => withdraw(unit, run, words, actor, freed),
    expire,
  }
}
