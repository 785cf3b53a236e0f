/** Owns standing grants: one tool, its exact targets, an end and a count. Never an executable, a shell or a suffix. */
import {
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
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Actor, Db, Unit } from '../store/store.ts'
import { json } from '../store/store.ts'
import type { GrantCover, Tables } from '../store/tables.ts'

export interface GrantSubject {
  readonly tool: string
  readonly resources: readonly Resource[]
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
      : `${cover.method} ${cover.scheme}://${cover.host}:${cover.port}`,
  )
  const where = { run: 'in this run', session: 'in this session', time: 'anywhere' }[request.scope]
  return `${tool}: ${targets.join(', ')} ${where}, up to ${usesOf(request)} times, for ${minutesOf(request)} minutes`
}

export async function createGrant(
  unit: Unit,
  approval: { id: Tables['approvals']['id'] } & GrantSubject,
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
  if (!covers) return null
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
  const wanted = covers.map(keyOf)
  return (
    live.find((grant) => wanted.every((key) => grant.covers.some((cover) => keyOf(cover) === key)))?.id ??
    null
  )
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
