/**
 * Owns approval requests: one durable record each, that waits as long as it must and is decided once. Surfaces are
 * views of it. Nothing here runs anything; an approval only lets a permit be spent.
 */
import {
  type ApprovalId,
  ApprovalSubject,
  type ApprovalView,
  type Card,
  CountersignError,
  type DecideApproval,
  type DeviceReach,
  type DeviceSeal,
  type Exchange,
  type GrantId,
  type GrantRequest,
  isBroad,
  isFresh,
  type OperatorId,
  type PasskeyProof,
  type PasskeySeal,
  permitLifetimeMs,
  type RunId,
  ruleText,
  type Seal,
  subjectText,
  tierWord,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { GrantOffer } from '@countersign/policy'
import type { Selectable } from 'kysely'
import type { Permits } from '../permits/permits.ts'
import { lockRun, type RunRow } from '../store/run-row.ts'
import { type Actor, json, type Store, storable, type Unit } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { createGrant, grantSubjectOf, isOffered, optionSentence } from './grants.ts'

export type ApprovalRow = Selectable<Tables['approvals']>

export interface ApprovalsOptions {
  readonly store: Store
  readonly permits: Permits
  readonly clock: () => Date
  readonly uuid: () => string
  readonly random: (below: number) => number
  readonly seals: SealChecks
  /** Something waits no longer; told after the commit. */
  readonly freed: (operator: OperatorId) => void
  /** What a verdict means for the call, in the same unit. */
  readonly requestClosed: (unit: Unit, approval: ApprovalRow, run: RunRow) => Promise<void>
}

/** An early answer for people: the executor checks again and has the last word. */
export interface SealChecks {
  /** Why the seal does not hold, or null. */
  check(seal: DeviceSeal | PasskeySeal, digest: string, tier: number): Promise<string | null>
  /** Whether a passkey of the operator signed the text. */
  proves(proof: PasskeyProof, text: string): Promise<boolean>
}

export interface ApprovalDraft {
  readonly subject: ApprovalSubject
  readonly card: Card
  readonly agentSays: string
  readonly replaces: ApprovalId | null
  readonly offers: GrantOffer
}

/** Who decides, and up to which tier their device may. */
export interface Decider extends Actor {
  readonly reach: DeviceReach
}

export interface DecidedApproval {
  readonly row: ApprovalRow
  readonly grant: GrantId | null
  readonly ledger: number
}

export type Approvals = ReturnType<typeof createApprovals>

const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const codeLength = 4
/** How long a request waits for a person, and how long it can be made to wait: its subject ends then. */
const firstWaitMs = 24 * 60 * 60_000
const mostExchanges = 20
export const longestWaitMs = 7 * firstWaitMs
/** What a person can only do before the end; what waits is withdrawn whenever its run goes another way. */
const decisions: ReadonlySet<ApprovalRow['state']> = new Set(['approved', 'denied', 'superseded'])

export function createApprovals(options: ApprovalsOptions) {
  const { store } = options

  /** Records the request. The subject must already say which approval it belongs to. */
  async function request(
    unit: Unit,
    { subject, card, agentSays, replaces, offers }: ApprovalDraft,
  ): Promise<ApprovalRow> {
    if (subject.approval === null) throw new Error('the subject names no approval')
    const text = subjectText(subject)
    const row: ApprovalRow = {
      operator_id: unit.operator,
      id: subject.approval,
      code: await freeCode(unit),
      call_id: subject.call,
      run_id: subject.run,
      session_id: subject.session,
      state: 'pending',
      tier: subject.tier,
      digest: sha256Hex(text),
      subject: text.slice(text.indexOf('\0') + 1),
      card,
      agent_says: storable(agentSays),
      seal: null,
      spent_at: null,
      created_at: unit.now,
      expires_at: new Date(unit.now.getTime() + firstWaitMs),
      decided_at: null,
      decided_by: null,
      reason: null,
      asked: [],
      replaces,
      offers,
    }
    await unit.db
      .insertInto('approvals')
      .values({ ...row, card: json(card), seal: null, asked: '[]', offers: json(offers) })
      .execute()
    await unit.db
      .insertInto('deadlines')
      .values({ approval_id: row.id, operator_id: unit.operator, due_at: row.expires_at })
      .execute()
    unit.record({
      type: 'approval.requested',
      actor: { kind: 'agent', id: subject.run },
      session: subject.session,
      run: subject.run,
      call: subject.call,
      approval: row.id,
      data: {
        digest: row.digest,
        code: row.code,
        tier: row.tier,
        headline: card.headline,
        what: subject.what,
        why: subject.why,
        chain: subject.chain.map(({ kind, id }) => `${kind}:${id}`),
        rules: subject.rules,
        expires: row.expires_at.toISOString(),
      },
    })
    unit.emit({
      type: 'approval.requested',
      session: subject.session,
      run: subject.run,
      approval: viewOfApproval(row),
    })
    return row
  }

  async function freeCode(unit: Unit): Promise<string> {
    for (let length = codeLength; ; length += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const code = Array.from({ length }, () => alphabet[options.random(alphabet.length)]).join('')
        const taken = await unit.db
          .selectFrom('approvals')
          .select('id')
          .where('code', '=', code)
          .where('state', '=', 'pending')
          .executeTakeFirst()
        if (!taken) return code
      }
    }
  }

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

  /** The verdict of a person. The first one wins; everyone else is told who and when. */
  async function decide(
    operator: OperatorId,
    ref: string,
    verdict: DecideApproval,
    actor: Decider,
  ): Promise<DecidedApproval> {
    const seen = await find(operator, ref)
    const seal = verdict.verdict === 'approve' ? await sealFor(seen, verdict, actor) : null
    const committed = await store.transact(operator, async (unit) => {
      const run = await lockRun(unit, seen.run_id)
      if (!run) throw new CountersignError('not_found', `There is no run ${seen.run_id}.`)
      const row = await closeRequest(unit, seen.id, {
        state: verdict.verdict === 'approve' ? 'approved' : 'denied',
        by: actor,
        reason: verdict.verdict === 'deny' ? verdict.reason : null,
        seal,
      })
      if (!row) throw await tooLate(unit, seen.id)
      const grant =
        verdict.verdict === 'approve' && verdict.grant
          ? await createGrant(
              unit,
              { id: row.id, ...grantSubjectOf(subjectOf(row), run.goal) },
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

  async function sealFor(
    row: ApprovalRow,
    verdict: Extract<DecideApproval, { verdict: 'approve' }>,
    decider: Decider,
  ): Promise<Seal> {
    if (row.state !== 'pending') throw endedError(row)
    if (verdict.digest !== row.digest) {
      throw new CountersignError('conflict', 'What you approved is not what waits here. Look at it again.')
    }
    if (verdict.grant) await checkGrant(row, verdict.grant, verdict.proof)
    const now = options.clock()
    if (row.tier > 3 && verdict.seal?.by !== 'passkey')
      throw new CountersignError('step_up_needed', 'A T4 call needs your passkey.', {
        next: 'Decide it in the web app; `countersign open approvals` opens it. If you have no passkey yet, add one there under Devices.',
      })
    if (!verdict.seal) {
      if (row.tier > 2)
        throw new CountersignError('not_authenticated', 'A T3 call needs the seal of your device.')
      if (row.tier > decider.reach)
        throw new CountersignError('not_authenticated', `${decider.id} may only look.`, {
          next: 'Decide it on another device, or let this one do more with `countersign device limit`.',
        })
      return options.permits.mint(subjectOf(row), now).permit.seal
    }
    if (!isFresh(verdict.seal.decidedAt, now)) {
      const minutes = permitLifetimeMs / 60_000
      throw new CountersignError('expired', `A seal must arrive within ${minutes} minutes. Seal it again.`)
    }
    const problem = await options.seals.check(verdict.seal, row.digest, row.tier)
    if (problem !== null)
      throw new CountersignError('not_authenticated', `The seal does not hold: ${problem}.`)
    return verdict.seal
  }

  /** A grant must be one that the request offers. A rule that covers a whole tool needs the operator in person. */
  async function checkGrant(row: ApprovalRow, grant: GrantRequest, proof?: PasskeyProof): Promise<void> {
    if (!isOffered(grant, row.offers))
      throw new CountersignError(
        'usage',
        'This call can only be approved once: no such grant would answer it.',
        {
          next: 'Approve it as it is; `countersign approval show` lists what it offers.',
        },
      )
    if (grant.scope !== 'rule' || !isBroad(grant)) return
    if (!proof || !(await options.seals.proves(proof, ruleText(row.id, row.digest, grant))))
      throw new CountersignError('step_up_needed', 'So broad a rule needs your passkey.', {
        next: 'Save it in the web app, or make it narrower.',
      })
  }

  /** What to say when no request was closed. Reads in the unit: a second connection might never come free. */
  async function tooLate(unit: Unit, id: ApprovalId): Promise<CountersignError> {
    return endedError(
      await unit.db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )
  }

  /**
   * Moves one request out of `pending`. The caller holds the run's lock. Undefined when somebody was first, and when
   * a person decides after its end.
   */
  async function closeRequest(
    unit: Unit,
    id: ApprovalId,
    verdict: {
      state: Exclude<ApprovalRow['state'], 'pending'>
      by: Actor
      reason: string | null
      seal: Seal | null
      /** Only if its time is over by then: it may have been extended. */
      due?: Date
    },
  ): Promise<ApprovalRow | undefined> {
    const row = await unit.db
      .updateTable('approvals')
      .set({
        state: verdict.state,
        decided_at: unit.now,
        decided_by: verdict.by.id,
        reason: verdict.reason === null ? null : storable(verdict.reason),
        seal: verdict.seal ? json(verdict.seal) : null,
      })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .$if(verdict.due !== undefined, (query) => query.where('expires_at', '<=', verdict.due ?? unit.now))
      .$if(decisions.has(verdict.state), (query) => query.where('expires_at', '>', unit.now))
      .returningAll()
      .executeTakeFirst()
    if (!row) return undefined
    await unit.db.deleteFrom('deadlines').where('approval_id', '=', id).execute()
    announce(unit, row, verdict.by)
    unit.afterCommit(() => options.freed(unit.operator))
    return row
  }

  /** Changes a request that still waits, in what it says about itself and never in what it would run. */
  async function amend(
    unit: Unit,
    ref: ApprovalId,
    change: (row: ApprovalRow) => { expires_at: Date } | { asked: string },
  ): Promise<ApprovalRow> {
    const found = await unit.db
      .selectFrom('approvals')
      .selectAll()
      .where('id', '=', ref)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (found.state !== 'pending' || found.expires_at <= unit.now) throw endedError(found)
    const { id } = found
    return unit.db
      .updateTable('approvals')
      .set(change(found))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  async function extend(operator: OperatorId, ref: string, hours: number, actor: Actor) {
    const { id, session_id: session, run_id: run, call_id: call } = await find(operator, ref)
    const { value: row, ledger } = await store.transact(operator, async (unit) => {
      const row = await amend(unit, id, ({ created_at: from, expires_at: before }) => {
        const wanted = Math.max(before.getTime(), unit.now.getTime() + hours * 3_600_000)
        return { expires_at: new Date(Math.min(wanted, from.getTime() + longestWaitMs)) }
      })
      const expiresAt = row.expires_at.toISOString()
      await unit.db
        .updateTable('deadlines')
        .set({ due_at: row.expires_at })
        .where('approval_id', '=', id)
        .execute()
      unit.record({
        type: 'approval.extended',
        actor,
        session,
        run,
        call,
        approval: id,
        data: { expires: expiresAt },
      })
      unit.emit({ type: 'approval.extended', session, run, approval: id, expiresAt })
      return row
    })
    return { approval: viewOfApproval(row), ledger }
  }

  /** Keeps what the operator asked about a request and what the agent said. */
  async function note(operator: OperatorId, ref: string, exchange: Exchange, actor: Actor) {
    const { id, session_id: session, run_id: run, call_id: call } = await find(operator, ref)
    const said = { ...exchange, question: storable(exchange.question), answer: storable(exchange.answer) }
    const { value: row, ledger } = await store.transact(operator, async (unit) => {
      const row = await amend(unit, id, ({ asked }) => ({
        asked: json([...asked, said].slice(-mostExchanges)),
      }))
      unit.record({
        type: 'approval.answered',
        actor,
        session,
        run,
        call,
        approval: id,
        data: { question: said.question },
      })
      unit.emit({ type: 'approval.answered', session, run, approval: id, exchange: said })
      return row
    })
    return { approval: viewOfApproval(row), ledger }
  }

  /** An approval that was given but can no longer be spent: the world it was given for is gone. */
  async function supersede(unit: Unit, id: ApprovalId, reason: string): Promise<void> {
    const row = await unit.db
      .updateTable('approvals')
      .set({ state: 'superseded', reason })
      .where('id', '=', id)
      .where('state', '=', 'approved')
      .where('spent_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (row) announce(unit, row, { kind: 'gateway', id: 'gateway' })
  }

  function announce(unit: Unit, row: ApprovalRow, by: Actor): void {
    unit.record({
      type: 'approval.decided',
      actor: by,
      session: row.session_id,
      run: row.run_id,
      call: row.call_id,
      approval: row.id,
      data: {
        verdict: row.state,
        digest: row.digest,
        code: row.code,
        reason: row.reason,
        seal: row.seal?.by ?? null,
      },
    })
    unit.emit({
      type: 'approval.decided',
      session: row.session_id,
      run: row.run_id,
      approval: row.id,
      code: row.code,
      state: row.state,
      by: by.id,
      reason: row.reason,
    })
  }

  /** Uses the approval up. False when it was used, withdrawn or has lapsed. */
  async function spend(unit: Unit, id: ApprovalId): Promise<boolean> {
    const spent = await unit.db
      .updateTable('approvals')
      .set({ spent_at: unit.now })
      .where('id', '=', id)
      .where('state', '=', 'approved')
      .where('spent_at', 'is', null)
      .where('decided_at', '>', new Date(unit.now.getTime() - permitLifetimeMs))
      .returning('id')
      .executeTakeFirst()
    return spent !== undefined
  }

  /** Withdraws what still waits in a run, with the operator's words as the reason. */
  async function withdraw(unit: Unit, run: RunId, words: string, actor: Actor): Promise<ApprovalRow[]> {
    const pending = await unit.db
      .selectFrom('approvals')
      .select('id')
      .where('run_id', '=', run)
      .where('state', '=', 'pending')
      .orderBy('id')
      .execute()
    const withdrawn: ApprovalRow[] = []
    for (const { id } of pending) {
      const row = await closeRequest(unit, id, { state: 'withdrawn', by: actor, reason: words, seal: null })
      if (row) withdrawn.push(row)
    }
    return withdrawn
  }

  /** Ends the requests whose time is over; their runs are told. */
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
        const row = await closeRequest(unit, id, {
          state: 'expired',
          by: gateway,
          reason: null,
          seal: null,
          due: now,
        })
        if (row && run) await options.requestClosed(unit, row, run)
      })
    }
  }

  return { request, find, decide, closeRequest, tooLate, extend, note, supersede, spend, withdraw, expire }
}

/** Who ended it and when, for whoever came later. */
function endedError(row: ApprovalRow): CountersignError {
  if (row.state === 'pending')
    return new CountersignError('expired', `${row.code} ended at ${row.expires_at.toISOString()}.`)
  const by = row.decided_by ? ` by ${row.decided_by}` : ''
  const at = row.decided_at ? ` at ${row.decided_at.toISOString()}` : ''
  return new CountersignError(
    row.state === 'expired' ? 'expired' : 'conflict',
    `${row.code} is already ${row.state}${by}${at}.`,
  )
}

export function subjectOf(row: Pick<ApprovalRow, 'subject'>): ApprovalSubject {
  return ApprovalSubject.parse(JSON.parse(row.subject))
}

export function viewOfApproval(row: ApprovalRow): ApprovalView {
  return {
    id: row.id,
    code: row.code,
    state: row.state,
    digest: row.digest,
    card: row.card,
    agentSays: row.agent_says,
    asked: row.asked,
    replaces: row.replaces,
    options: approvalOptions(row),
    session: row.session_id,
    run: row.run_id,
    call: row.call_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    decidedBy: row.decided_by,
    reason: row.reason,
    receipt: approvalReceipt(row),
  }
}

function approvalOptions(row: ApprovalRow): ApprovalView['options'] {
  const once = { scope: 'once' as const, sentence: 'Only this call, exactly as shown' }
  const subject = grantSubjectOf(subjectOf(row), null)
  const scopes = row.offers.scopes.map((scope) => ({
    scope,
    sentence: optionSentence(subject, { scope }, row.offers),
  }))
  return [once, ...scopes]
}

function approvalReceipt(row: ApprovalRow): string | null {
  if (row.state === 'pending' || !row.decided_at) return null
  const what = `T${row.tier} ${tierWord[row.tier]}: ${row.card.headline}`
  const verb = {
    approved: 'Approved',
    denied: 'Denied',
    expired: 'Expired',
    withdrawn: 'Withdrawn',
    superseded: 'Superseded',
  }
  return `${verb[row.state]} ${row.decided_by ? `by ${row.decided_by} ` : ''}at ${row.decided_at.toISOString()}: ${what}`
}
