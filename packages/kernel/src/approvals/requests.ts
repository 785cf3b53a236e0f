/**
 * Owns the record of a request from its beginning to its end, within the transaction of whoever calls. A request is
 * closed once; what it would run never changes.
 */
import {
  type ApprovalId,
  type ApprovalSubject,
  type Card,
  type CountersignError,
  type Exchange,
  type OperatorId,
  permitLifetimeMs,
  type RunId,
  type Seal,
  subjectText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { AskOutlook } from '@countersign/policy'
import { type Actor, json, storable, type Unit } from '../store/store.ts'
import { type ApprovalRow, endedError } from './approval-row.ts'
import { viewOfApproval } from './approval-view.ts'

export interface ApprovalDraft {
  readonly subject: ApprovalSubject
  readonly card: Card
  readonly agentSays: string
  readonly replaces: ApprovalId | null
  readonly offers: AskOutlook
}

export interface RequestEnd {
  readonly state: Exclude<ApprovalRow['state'], 'pending'>
  readonly by: Actor
  readonly reason: string | null
  readonly seal: Seal | null
  /** Only if its time is over by then: it may have been extended. */
  readonly due?: Date
}

const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const codeLength = 4
/** How long a request waits for a person, and how long it can be made to wait: its subject ends then. */
const firstWaitMs = 24 * 60 * 60_000
const mostExchanges = 20
export const longestWaitMs = 7 * firstWaitMs
/** What a person can only do before the end; what waits is withdrawn whenever its run goes another way. */
const decisions: ReadonlySet<ApprovalRow['state']> = new Set(['approved', 'denied', 'superseded'])

/** Records the request. The subject must already say which approval it belongs to. */
export async function recordRequest(
  unit: Unit,
  { subject, card, agentSays, replaces, offers }: ApprovalDraft,
  random: (below: number) => number,
): Promise<ApprovalRow> {
  if (subject.approval === null) throw new Error('the subject names no approval')
  const text = subjectText(subject)
  const row: ApprovalRow = {
    operator_id: unit.operator,
    id: subject.approval,
    code: await freeCode(unit, random),
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

async function freeCode(unit: Unit, random: (below: number) => number): Promise<string> {
  for (let length = codeLength; ; length += 1) {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const code = Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
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

/**
 * Moves one request out of `pending`. The caller holds the run's lock. Undefined when somebody was first, and when
 * a person decides after its end.
 */
export async function closeRequest(
  unit: Unit,
  id: ApprovalId,
  verdict: RequestEnd,
  freed: (operator: OperatorId) => void,
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
  unit.afterCommit(() => freed(unit.operator))
  return row
}

/** What to say when no request was closed. Reads in the unit: a second connection might never come free. */
export async function tooLateError(unit: Unit, id: ApprovalId): Promise<CountersignError> {
  return endedError(
    await unit.db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
}

/** Lets it wait longer, up to the end of its subject. */
export async function extendRequest(
  unit: Unit,
  { id, session_id: session, run_id: run, call_id: call }: ApprovalRow,
  hours: number,
  actor: Actor,
): Promise<ApprovalRow> {
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
}
/** Keeps what the operator asked about a request and what the agent said. */
export async function noteExchange(
  unit: Unit,
  { id, session_id: session, run_id: run, call_id: call }: ApprovalRow,
  exchange: Exchange,
  actor: Actor,
): Promise<ApprovalRow> {
  const said = { ...exchange, question: storable(exchange.question), answer: storable(exchange.answer) }
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

/** An approval that was given but can no longer be spent: the world it was given for is gone. */
export async function supersede(unit: Unit, id: ApprovalId, reason: string): Promise<void> {
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
export async function spend(unit: Unit, id: ApprovalId): Promise<boolean> {
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
export async function withdraw(
  unit: Unit,
  run: RunId,
  words: string,
  actor: Actor,
  freed: (operator: OperatorId) => void,
): Promise<ApprovalRow[]> {
  const pending = await unit.db
    .selectFrom('approvals')
    .select('id')
    .where('run_id', '=', run)
    .where('state', '=', 'pending')
    .orderBy('id')
    .execute()
  const withdrawn: ApprovalRow[] = []
  for (const { id } of pending) {
    const row = await closeRequest(
      unit,
      id,
      { state: 'withdrawn', by: actor, reason: words, seal: null },
      freed,
    )
    if (row) withdrawn.push(row)
  }
  return withdrawn
}
