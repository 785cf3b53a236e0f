/** Owns what entries are read together with: the calls, requests and runs that they speak of, and the names of things. */
import {
  type ApprovalId,
  type CallId,
  type GrantId,
  type JsonObject,
  type Resource,
  type RunId,
  schedulesCollection,
} from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'

export interface EntryRow {
  readonly seq: number
  readonly type: string
  readonly run_id: RunId | null
  readonly call_id: CallId | null
  readonly approval_id: ApprovalId | null
  readonly body: string
  readonly leaf: Buffer
}

export interface EntryBody {
  readonly at: string
  readonly actor: { readonly kind: 'operator' | 'agent' | 'gateway' | 'executor'; readonly id: string }
  readonly data: JsonObject
  readonly session?: string
}

export interface ParsedEntry {
  readonly row: EntryRow
  readonly body: EntryBody
}

export interface ReferencedCall {
  readonly tool: string
  readonly headline: string
  readonly tier: number | null
  readonly approval_id: ApprovalId | null
}

export interface ReferencedApproval {
  readonly code: string
  readonly state: string
  readonly decided_by: string | null
}

export interface EntryReferences {
  readonly calls: ReadonlyMap<CallId, ReferencedCall>
  readonly approvals: ReadonlyMap<ApprovalId, ReferencedApproval>
  /** The agent that each run belongs to. */
  readonly agents: ReadonlyMap<RunId, string>
  readonly names: ReadonlyMap<string, string>
}

export function parseEntryBody(row: EntryRow): ParsedEntry {
  return { row, body: JSON.parse(row.body) as EntryBody }
}

/** Each by its key: a ledger of a million entries is read no slower than a small one. */
export async function entryReferencesOf(
  db: LimitedDb,
  entries: readonly ParsedEntry[],
): Promise<EntryReferences> {
  const calls = await byId(
    entries.flatMap(({ row }) => row.call_id ?? []),
    (ids) =>
      db
        .selectFrom('calls')
        .select(['id', 'tool', 'headline', 'tier', 'approval_id'])
        .where('id', 'in', ids)
        .execute(),
  )
  const approvals = await byId(
    [
      ...entries.flatMap(({ row }) => row.approval_id ?? []),
      ...[...calls.values()].flatMap((call) => call.approval_id ?? []),
    ],
    (ids) =>
      db
        .selectFrom('approvals')
        .select(['id', 'code', 'state', 'decided_by'])
        .where('id', 'in', ids)
        .execute(),
  )
  const runs = await byId(
    entries.flatMap(({ row, body }) => (body.actor.kind === 'agent' && row.run_id ? row.run_id : [])),
    (ids) => db.selectFrom('runs').select(['id', 'agent']).where('id', 'in', ids).execute(),
  )
  const agents = new Map([...runs].map(([id, { agent }]) => [id, agent]))
  return { calls, approvals, agents, names: await namesIn(db, entries, new Set(agents.values())) }
}

/** What the executor was permitted to touch, for each call that came so far. */
export async function resourcesOf(
  db: LimitedDb,
  ids: readonly CallId[],
): Promise<ReadonlyMap<CallId, readonly Resource[]>> {
  const rows = await byId(ids, (some) =>
    db
      .selectFrom('calls')
      .select(['id', sql<Resource[] | null>`permit->'subject'->'resources'`.as('resources')])
      .where('id', 'in', some)
      .where('permit', 'is not', null)
      .execute(),
  )
  return new Map([...rows].map(([id, { resources }]) => [id, resources ?? []]))
}

/** People know agents, automations, goals and grants by their names; what is gone keeps its id. */
async function namesIn(
  db: LimitedDb,
  entries: readonly ParsedEntry[],
  agents: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const named = (field: string) =>
    entries.flatMap(({ body }) => {
      const id = body.data[field]
      return typeof id === 'string' ? [id] : []
    })
  const ids = [...new Set([...agents, ...named('schedule'), ...named('goal')])]
  const records =
    ids.length === 0
      ? []
      : await db
          .selectFrom('records')
          .select(['id', 'data'])
          .where('collection', 'in', ['agents', schedulesCollection, 'goals'])
          .where('id', 'in', ids)
          .execute()
  const grants = await byId(named('grant') as GrantId[], (some) =>
    db.selectFrom('grants').select(['id', 'sentence']).where('id', 'in', some).execute(),
  )
  const names = new Map<string, string>([...grants].map(([id, { sentence }]) => [id, sentence]))
  for (const { id, data } of records) {
    const name = data['name'] ?? data['title']
    if (typeof name === 'string') names.set(id, name)
  }
  return names
}

async function byId<Id extends string, Row extends { readonly id: Id }>(
  ids: readonly Id[],
  load: (ids: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Map<Id, Row>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  return new Map((await load(wanted)).map((row) => [row.id, row]))
}
