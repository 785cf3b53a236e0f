/** Owns standing grants: rows that say what a call need not ask for again. What they can cover is policy's. */
import {
  type ApprovalId,
  type ApprovalSubject,
  type Card,
  CountersignError,
  type GrantId,
  type GrantRequest,
  type GrantView,
  idFrom,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import {
  type CoveredCall,
  coversAt,
  type GrantCover,
  type GrantOffer,
  type GrantTerms,
  grantSentence,
  isCovered,
} from '@countersign/policy'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Actor, Db, Unit } from '../store/store.ts'
import { json } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'

export interface GrantSubject extends CoveredCall {
  readonly session: SessionId
  readonly run: RunId
  readonly agent: string
  readonly goal: string | null
}

type GrantRow = Selectable<Tables['grants']>

const minutesFor = { run: 24 * 60, session: 24 * 60, time: 30 }
const usesWithoutWord = 20

/** A grant that nobody used for so long ends by itself: a month shows each habit, and authority that is none is a risk. */
export const unusedDays = 30
const unusedMs = unusedDays * 24 * 60 * 60_000

/** What a request asks for, in the terms of a grant. */
export function termsOf(request: GrantRequest, { untrusted }: Pick<GrantOffer, 'untrusted'>): GrantTerms {
  if (request.scope === 'rule') {
    const { where, days, maxUses: uses } = request
    return { where, uses, minutes: days * 24 * 60, untrusted: request.untrusted === true }
  }
  const where = request.scope === 'time' ? 'everywhere' : request.scope
  const { minutes = minutesFor[request.scope], maxUses: uses = usesWithoutWord } = request
  return { where, uses, minutes, untrusted: request.scope === 'run' && untrusted.run }
}

export function coversOf(subject: CoveredCall, request: GrantRequest): GrantCover[] | null {
  return coversAt(request.scope === 'rule' ? request.stop : 'target', subject)
}

/** Whether the request said that such a grant would answer its call. */
export function isOffered(request: GrantRequest, { scopes, stops, untrusted }: GrantOffer): boolean {
  if (request.scope === 'rule') return (request.untrusted ? untrusted.stops : stops).includes(request.stop)
  return scopes.includes(request.scope) || (request.scope === 'run' && untrusted.run)
}

/** What a person reads beside a scope. */
export function optionSentence(
  subject: CoveredCall,
  request: GrantRequest,
  offers: Pick<GrantOffer, 'untrusted'>,
): string {
  return grantSentence(subject.tool, coversOf(subject, request) ?? [], termsOf(request, offers))
}

export async function createGrant(
  unit: Unit,
  approval: GrantSubject & { readonly id: ApprovalId; readonly offers: Pick<GrantOffer, 'untrusted'> },
  request: GrantRequest,
  actor: Actor,
  uuid: () => string,
): Promise<GrantId> {
  const covers = coversOf(approval, request)
  if (!covers)
    throw new CountersignError(
      'usage',
      'This call can only be approved once: it has no target that a grant could name.',
    )
  const terms = termsOf(request, approval.offers)
  if (terms.where === 'goal' && approval.goal === null)
    throw new CountersignError('usage', 'This call belongs to no goal.', {
      next: 'Choose the agent or everywhere as its scope.',
    })
  const { session, run } = approval
  const isPrivate = await isPrivateSession(unit, session)
  if (isPrivate && terms.where !== 'session' && terms.where !== 'run')
    throw new CountersignError('usage', 'Nothing of a private conversation goes further than itself.', {
      next: 'Approve it once, or for this conversation. What is to hold longer is granted in another one.',
    })
  const row = {
    tool: approval.tool,
    covers,
    sentence: grantSentence(approval.tool, covers, terms),
    ...(terms.where === 'session' ? { session_id: session } : {}),
    ...(terms.where === 'run' ? { run_id: run } : {}),
    ...(terms.where === 'agent' ? { agent: approval.agent } : {}),
    ...(terms.where === 'goal' ? { goal: approval.goal } : {}),
    approval_id: approval.id,
    expires_at: new Date(unit.now.getTime() + terms.minutes * 60_000),
    max_uses: terms.uses,
    untrusted: terms.untrusted,
  }
  return write(unit, row, { actor, session, run, approval: approval.id }, uuid, isPrivate)
}

async function isPrivateSession({ db }: Unit, session: SessionId): Promise<boolean> {
  const found = await db.selectFrom('sessions').select('private').where('id', '=', session).executeTakeFirst()
  return found?.private ?? false
}

export interface AdvanceGrants {
  readonly session: SessionId
  /** Exactly these, each once for every time that it is listed. */
  readonly calls: readonly { readonly tool: string; readonly args: string; readonly headline: string }[]
  readonly minutes: number
}

/** Grants given ahead for listed calls of one session, to the byte. Above tier 2 they cover nothing. */
export async function grantInAdvance(
  unit: Unit,
  { session, calls, minutes }: AdvanceGrants,
  actor: Actor,
  uuid: () => string,
): Promise<GrantId[]> {
  const expires = new Date(unit.now.getTime() + minutes * 60_000)
  const ids: GrantId[] = []
  for (const { tool, args, headline } of calls) {
    const row = {
      tool,
      covers: [{ type: 'call' as const, hash: sha256Hex(args) }],
      sentence: `${headline}: this call of ${tool} once in its session, for ${minutes} minutes`,
      session_id: session,
      approval_id: null,
      expires_at: expires,
      max_uses: 1,
    }
    ids.push(await write(unit, row, { actor, session }, uuid))
  }
  return ids
}

async function write(
  unit: Unit,
  row: Pick<GrantRow, 'tool' | 'covers' | 'sentence' | 'approval_id' | 'expires_at' | 'max_uses'> &
    Partial<Pick<GrantRow, 'session_id' | 'run_id' | 'agent' | 'goal' | 'untrusted'>>,
  about: { actor: Actor; session: SessionId; run?: RunId; approval?: ApprovalId },
  uuid: () => string,
  isPrivate = false,
): Promise<GrantId> {
  const id = idFrom('gr', uuid())
  const { covers, sentence, expires_at: expires } = row
  await unit.db
    .insertInto('grants')
    .values({
      operator_id: unit.operator,
      id,
      session_id: null,
      run_id: null,
      created_at: unit.now,
      revoked_at: null,
      ...row,
      covers: json(covers),
    })
    .execute()
  unit.record({
    type: 'grant.created',
    ...about,
    data: {
      grant: id,
      sentence,
      covers: covers.map((cover) => ({ ...cover })),
      expires: expires.toISOString(),
    },
  })
  // The event is of no conversation, and stays when this one is erased.
  unit.emit({ type: 'grant.created', grant: id, sentence: isPrivate ? '' : sentence })
  return id
}

export type StandingGrant = Pick<
  GrantRow,
  'id' | 'tool' | 'covers' | 'session_id' | 'run_id' | 'agent' | 'goal' | 'max_uses' | 'uses' | 'untrusted'
>

/** The grants that can still be used, for one tool or for all, the oldest first. */
export function standingGrants(db: Db, now: Date, tool?: string): Promise<StandingGrant[]> {
  return db
    .selectFrom('grants')
    .select([
      'id',
      'tool',
      'covers',
      'session_id',
      'run_id',
      'agent',
      'goal',
      'max_uses',
      'uses',
      'untrusted',
    ])
    .where(isStanding(now))
    .$if(tool !== undefined, (query) => query.where('tool', '=', tool ?? ''))
    .orderBy('id')
    .execute()
}

/** Neither revoked nor over nor used up, and used lately. */
function isStanding(now: Date) {
  const since = new Date(now.getTime() - unusedMs)
  return (is: ExpressionBuilder<Tables, 'grants'>) =>
    is.and([
      is('revoked_at', 'is', null),
      is('expires_at', '>', now),
      is.or([is('max_uses', 'is', null), is('uses', '<', is.ref('max_uses'))]),
      is(is.fn.coalesce('last_used_at', 'created_at'), '>', since),
    ])
}

/** Whether the grant covers every target of the call, and holds where the call is made and after what was read there. */
export function speaksFor(grant: StandingGrant, subject: GrantSubject, isTainted: boolean): boolean {
  return (
    grant.tool === subject.tool &&
    (grant.untrusted || !isTainted) &&
    (grant.max_uses === null || grant.uses < grant.max_uses) &&
    (grant.session_id === null || grant.session_id === subject.session) &&
    (grant.run_id === null || grant.run_id === subject.run) &&
    (grant.agent === null || grant.agent === subject.agent) &&
    (grant.goal === null || grant.goal === subject.goal) &&
    isCovered(grant.covers, subject)
  )
}

/** The grant that speaks for the call, if one does: after untrusted content was read, one that says so. */
export async function findGrant(
  db: Db,
  subject: GrantSubject,
  now: Date,
  isTainted: boolean,
): Promise<StandingGrant | null> {
  const standing = await standingGrants(db, now, subject.tool)
  return standing.find((grant) => speaksFor(grant, subject, isTainted)) ?? null
}

/** Counts one use. False when the grant ended since it was found. */
export async function spendGrant(unit: Unit, id: string): Promise<boolean> {
  const spent = await unit.db
    .updateTable('grants')
    .set({ uses: sql`uses + 1`, last_used_at: unit.now })
    .where('id', '=', id as GrantId)
    .where(isStanding(unit.now))
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}

export async function revokeGrant(unit: Unit, id: GrantId, actor: Actor): Promise<void> {
  const revoked = await unit.db
    .updateTable('grants')
    .set({ revoked_at: unit.now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!revoked) throw new CountersignError('not_found', `There is no active grant ${id}.`)
  unit.record({ type: 'grant.revoked', actor, data: { grant: id } })
  unit.emit({ type: 'grant.revoked', grant: id })
}

/** Ends by itself what nobody used for long, and says so. */
export async function endUnusedGrants(unit: Unit, actor: Actor): Promise<GrantId[]> {
  const ended = await unit.db
    .updateTable('grants')
    .set({ revoked_at: unit.now, ended_unused_at: unit.now })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', unit.now)
    .where((is) =>
      is(is.fn.coalesce('last_used_at', 'created_at'), '<=', new Date(unit.now.getTime() - unusedMs)),
    )
    .returning(['id', 'sentence'])
    .execute()
  for (const { id, sentence } of ended.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    unit.record({ type: 'grant.ended', actor, data: { grant: id, sentence, unusedDays } })
    unit.emit({ type: 'grant.revoked', grant: id })
  }
  return ended.map(({ id }) => id)
}

export function viewOfGrant(row: GrantRow, now: Date): GrantView {
  const unusedEnd = new Date((row.last_used_at ?? row.created_at).getTime() + unusedMs)
  return {
    id: row.id,
    sentence: row.sentence,
    tool: row.tool,
    approval: row.approval_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    uses: row.uses,
    maxUses: row.max_uses,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    agent: row.agent,
    goal: row.goal,
    session: row.session_id,
    run: row.run_id,
    untrusted: row.untrusted,
    unusedEndsAt: unusedEnd.toISOString(),
    state: stateOf(row, unusedEnd, now),
  }
}

function stateOf(row: GrantRow, unusedEnd: Date, now: Date): GrantView['state'] {
  if (row.ended_unused_at) return 'unused'
  if (row.revoked_at) return 'revoked'
  if (row.expires_at <= now) return 'expired'
  if (row.max_uses !== null && row.uses >= row.max_uses) return 'used'
  return unusedEnd <= now ? 'unused' : 'active'
}

/** What a grant made of this request would be compared with. */
export function grantSubjectOf(
  subject: ApprovalSubject,
  { effects }: Pick<Card, 'effects'>,
  goal: string | null,
): GrantSubject {
  const { session, run, agent, argsHash, resources } = subject
  return { tool: subject.tool.name, argsHash, resources, effects, session, run, agent, goal }
}
