/** Owns standing grants: one tool, its exact targets, an end and a count. Never an executable, a shell or a suffix. */
import {
  type ApprovalId,
  CountersignError,
  canonicalText,
  type GrantId,
  type GrantRequest,
  type GrantView,
  idFrom,
  type Resource,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Actor, Db, Unit } from '../store/store.ts'
import { json } from '../store/store.ts'
import type { GrantCover, Tables } from '../store/tables.ts'

export interface GrantSubject {
  readonly tool: string
  readonly resources: readonly Resource[]
  readonly argsHash: string
  readonly session: SessionId
  readonly run: RunId
}

const defaults = { minutes: { run: 24 * 60, session: 24 * 60, time: 30 }, uses: 20 }

/** The targets of a call as a grant would name them, or null when the call can never be granted. */
export function coversOf(resources: readonly Resource[]): GrantCover[] | null {
  const covers: GrantCover[] = []
  for (const resource of resources) {
    if (resource.type === 'file')
      covers.push({ type: 'file', path: `${resource.root}:${resource.path}`, op: resource.op })
    else if (resource.type === 'url')
      covers.push({
        type: 'url',
        scheme: resource.scheme,
        host: resource.host,
        port: resource.port,
        method: resource.method,
      })
    else return null
  }
  return covers.length > 0 ? covers : null
}

export function sentenceOf(tool: string, covers: readonly GrantCover[], request: GrantRequest): string {
  const targets = covers.map((cover) =>
    cover.type === 'file'
      ? `${cover.op} ${cover.path.slice(cover.path.indexOf(':') + 1)}`
      : cover.type === 'call'
        ? 'one call'
        : `${cover.method} ${cover.scheme}://${cover.host}:${cover.port}`,
  )
  const where = { run: 'in this run', session: 'in this session', time: 'anywhere' }[request.scope]
  return `${tool}: ${targets.join(', ')} ${where}, up to ${usesOf(request)} times, for ${minutesOf(request)} minutes`
}

export async function createGrant(
  unit: Unit,
  approval: { id: ApprovalId } & Omit<GrantSubject, 'argsHash'>,
  request: GrantRequest,
  actor: Actor,
  uuid: () => string,
): Promise<GrantId> {
  const covers = coversOf(approval.resources)
  if (!covers)
    throw new CountersignError(
      'usage',
      'This call can only be approved once: it has no target that a grant could name.',
    )
  const id = idFrom('gr', uuid())
  const sentence = sentenceOf(approval.tool, covers, request)
  const expires = new Date(unit.now.getTime() + minutesOf(request) * 60_000)
  await unit.db
    .insertInto('grants')
    .values({
      operator_id: unit.operator,
      id,
      tool: approval.tool,
      covers: json(covers),
      sentence,
      session_id: request.scope === 'session' ? approval.session : null,
      run_id: request.scope === 'run' ? approval.run : null,
      approval_id: approval.id,
      created_at: unit.now,
      expires_at: expires,
      max_uses: usesOf(request),
      revoked_at: null,
    })
    .execute()
  unit.record({
    type: 'grant.created',
    actor,
    session: approval.session,
    run: approval.run,
    approval: approval.id,
    data: {
      grant: id,
      sentence,
      covers: covers.map((cover) => ({ ...cover })),
      expires: expires.toISOString(),
    },
  })
  unit.emit({ type: 'grant.created', grant: id, sentence })
  return id
}

/** The grant that covers every target of the call, if one does. */
export async function findGrant(db: Db, subject: GrantSubject, now: Date): Promise<GrantId | null> {
  const covers = coversOf(subject.resources)
  const live = await db
    .selectFrom('grants')
    .select(['id', 'covers'])
    .where('tool', '=', subject.tool)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('uses', '<', 'max_uses')
    .where((where) => where.or([where('session_id', 'is', null), where('session_id', '=', subject.session)]))
    .where((where) => where.or([where('run_id', 'is', null), where('run_id', '=', subject.run)]))
    .orderBy('id')
    .execute()
  const exact = keyOf({ type: 'call', hash: subject.argsHash })
  const wanted = covers?.map(keyOf)
  const covering = live.find((grant) => {
    const keys = new Set(grant.covers.map(keyOf))
    return keys.has(exact) || wanted?.every((key) => keys.has(key))
  })
  return covering?.id ?? null
}

export interface Lease {
  readonly session: SessionId
  /** Exactly these, each once for every time that it is listed. */
  readonly calls: readonly { readonly tool: string; readonly args: string; readonly headline: string }[]
  readonly minutes: number
}

/** Grants given ahead for listed calls of one session, to the byte. Above tier 2 they cover nothing. */
export async function lease(
  unit: Unit,
  { session, calls, minutes }: Lease,
  actor: Actor,
  uuid: () => string,
): Promise<GrantId[]> {
  const expires = new Date(unit.now.getTime() + minutes * 60_000)
  const ids: GrantId[] = []
  for (const { tool, args, headline } of calls) {
    const covers: GrantCover[] = [{ type: 'call', hash: sha256Hex(args) }]
    const id = idFrom('gr', uuid())
    const sentence = `${headline}: this call of ${tool} once in its session, for ${minutes} minutes`
    await unit.db
      .insertInto('grants')
      .values({
        operator_id: unit.operator,
        id,
        tool,
        covers: json(covers),
        sentence,
        session_id: session,
        run_id: null,
        approval_id: null,
        created_at: unit.now,
        expires_at: expires,
        max_uses: 1,
        revoked_at: null,
      })
      .execute()
    unit.record({
      type: 'grant.created',
      actor,
      session,
      data: { grant: id, sentence, covers: [...covers], expires: expires.toISOString() },
    })
    unit.emit({ type: 'grant.created', grant: id, sentence })
    ids.push(id)
  }
  return ids
}

/** Counts one use. False when the grant ended since it was found. */
export async function spendGrant(unit: Unit, id: string): Promise<boolean> {
  const spent = await unit.db
    .updateTable('grants')
    .set({ uses: sql`uses + 1` })
    .where('id', '=', id as GrantId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', unit.now)
    .whereRef('uses', '<', 'max_uses')
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

export function viewOfGrant(row: Selectable<Tables['grants']>, now: Date): GrantView {
  const state = row.revoked_at
    ? 'revoked'
    : row.expires_at <= now
      ? 'expired'
      : row.uses >= row.max_uses
        ? 'used'
        : 'active'
  return {
    id: row.id,
    sentence: row.sentence,
    tool: row.tool,
    approval: row.approval_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    uses: row.uses,
    maxUses: row.max_uses,
    state,
  }
}

const keyOf = (cover: GrantCover): string => canonicalText({ ...cover })
const minutesOf = (request: GrantRequest): number => request.minutes ?? defaults.minutes[request.scope]
const usesOf = (request: GrantRequest): number => request.maxUses ?? defaults.uses
