/**
 * Owns the sync of an account: what the server changed is taken, then what was changed here is brought. Every step can be
 * cut off: what was taken is known by its state, and what was brought is bound to one.
 */
import { type CalendarAccount, operatorLabel, type RunId, type SyncReport } from '@countersign/contract'
import {
  FetchedEntries,
  PushedEntries,
  type ServerCollection,
  ServerListing,
  syncLimits,
} from '@countersign/tools'
import { sql } from 'kysely'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { type CallEnd, readEnd, type ServerCalls, ServerProblem } from '../server-calls.ts'
import { changesToBring, concludeBringing, inCalls, noteUnderWay, placeNew } from './bring.ts'
import { entryRows, lockAccount } from './entry-rows.ts'
import { rowsAt, type Taken, takeGone, takeResource } from './take.ts'

export interface SyncParts {
  readonly context: AssistantContext
  readonly calls: ServerCalls
}

const dayMs = 86_400_000
const daysBack = 31
const daysAhead = 366
/** Occurrences that come into sight are looked for so often. */
const lookAgainDays = 7
const mostRounds = 20
/** Where so many are gone at once, somebody is asked before they are gone here. */
const manyGone = 10

export async function syncAccount(
  account: CalendarAccount,
  { context, calls }: SyncParts,
  signal: AbortSignal,
): Promise<SyncReport> {
  const { operator, records, clock } = context
  const counts = { taken: 0, removed: 0, sent: 0 }
  let problem: string | null = null
  try {
    problem = await collect(account.name, { context, calls }, counts)
    await takeAll(account, { context, calls }, counts, signal)
    await dropForgotten(account.name, { context, calls })
    if (account.direction === 'both')
      problem = (await bringAll(account, { context, calls }, counts, signal)) ?? problem
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error
    problem = error.message
  }
  const { value } = await records.change(operator, async (tx) => {
    await lockAccount(tx, account.name)
    await sql`update synced_accounts set synced_at = ${clock()}, problem = ${problem}
      where operator_id = ${operator} and account = ${account.name}`.execute(tx.db)
    return standing(tx, account.name)
  })
  const { conflicts, asking, unreadable } = value
  return { account: account.name, ...counts, conflicts, asking, unreadable, problem }
}

export interface Standing {
  readonly events: number
  readonly contacts: number
  readonly conflicts: number
  readonly asking: number
  readonly staysHere: number
  readonly unreadable: number
}

export async function standing({ db, operator }: AssistantTransaction, account: string): Promise<Standing> {
  const { rows } = await sql<Record<keyof Standing, number>>`select
      count(*) filter (where kind = 'event' and record_id is not null)::int as events,
      count(*) filter (where kind = 'contact' and record_id is not null)::int as contacts,
      count(*) filter (where state = 'conflict')::int as conflicts,
      count(*) filter (where push_run is not null)::int as asking,
      count(*) filter (where state = 'stays')::int as "staysHere",
      count(distinct href) filter (where record_id is null and problem is not null)::int as unreadable
    from synced_entries where operator_id = ${operator} and account = ${account}`.execute(db)
  return rows[0] ?? { events: 0, contacts: 0, conflicts: 0, asking: 0, staysHere: 0, unreadable: 0 }
}

async function takeAll(
  account: CalendarAccount,
  { context, calls }: SyncParts,
  counts: Taken,
  signal: AbortSignal,
): Promise<void> {
  const { operator, records } = context
  const known = await records.read(operator, async ({ db }) => {
    const { rows } = await sql<{ href: string; token: string }>`select href, token from synced_collections
      where operator_id = ${operator} and account = ${account.name} and token is not null
      order by href limit ${syncLimits.collections}`.execute(db)
    return rows
  })
  const run = await calls.begin('list_synced_entries', { account: account.name, known })
  const { collections } = readEnd(await calls.settled(run, signal), ServerListing)
  for (const collection of collections)
    await takeCollection(account, collection, { context, calls }, counts, signal)
}

async function takeCollection(
  account: CalendarAccount,
  listed: ServerCollection,
  { context, calls }: SyncParts,
  counts: Taken,
  signal: AbortSignal,
): Promise<void> {
  const { operator, records, clock, uuid } = context
  const today = clock().toISOString().slice(0, 10)
  const day = (days: number) => new Date(clock().getTime() + days * dayMs).toISOString().slice(0, 10)
  const window = { from: day(-daysBack), to: day(daysAhead) }
  const parts = { account: account.name, collection: listed.href, kind: listed.kind, today, uuid }
  const { fetch, gone } = await records.read(operator, (tx) =>
    wantedOf(tx, account.name, listed, day(-lookAgainDays)),
  )
  const etags = new Map(listed.entries.map(({ href, etag }) => [href, etag]))
  const vanished = [...gone]
  for (let at = 0; at < fetch.length; at += syncLimits.fetched) {
    const hrefs = fetch.slice(at, at + syncLimits.fetched)
    const wanted = { account: account.name, collection: listed.href, kind: listed.kind, hrefs, window }
    const run = await calls.begin('fetch_synced_entries', wanted)
    const fetched = readEnd(await calls.settled(run, signal), FetchedEntries)
    await records.change(operator, async (tx) => {
      await lockAccount(tx, account.name)
      for (const resource of fetched.resources) {
        // What could not even be read has the state that it was listed with.
        const etag = resource.etag === 'unread' ? (etags.get(resource.href) ?? 'unread') : resource.etag
        await takeResource(tx, { ...resource, etag }, parts, counts)
      }
    })
    vanished.push(...fetched.gone)
  }
  await records.change(operator, async (tx) => {
    await lockAccount(tx, account.name)
    await takeVanished(tx, account.name, listed.href, vanished, counts)
    await sql`insert into synced_collections (operator_id, account, href, kind, name, token)
      values (${operator}, ${account.name}, ${listed.href}, ${listed.kind}, ${listed.name}, ${listed.token})
      on conflict (operator_id, account, href) do update set name = excluded.name, token = excluded.token`.execute(
      tx.db,
    )
  })
}

async function wantedOf(
  tx: AssistantTransaction,
  account: string,
  listed: ServerCollection,
  before: string,
): Promise<{ fetch: string[]; gone: string[] }> {
  const rows = await entryRows(tx, sql`account = ${account} and collection = ${listed.href}`)
  const known = new Map(rows.map((row) => [row.href, row.etag]))
  const fetch = new Set(
    listed.entries.filter(({ href, etag }) => known.get(href) !== etag).map(({ href }) => href),
  )
  for (const row of rows) if (row.repeats && row.looked_on <= before) fetch.add(row.href)
  const there = new Set(listed.entries.map(({ href }) => href))
  const missing = listed.whole ? [...known.keys()].filter((href) => !there.has(href)) : []
  const gone = new Set([...listed.gone.filter((href) => known.has(href)), ...missing])
  return { fetch: [...fetch].filter((href) => !gone.has(href)), gone: [...gone] }
}

/** A server that was emptied or set up anew must not empty the calendar here: then somebody chooses. */
async function takeVanished(
  tx: AssistantTransaction,
  account: string,
  collection: string,
  hrefs: readonly string[],
  counts: Taken,
): Promise<void> {
  if (hrefs.length === 0) return
  const all = await entryRows(
    tx,
    sql`account = ${account} and collection = ${collection} and etag is not null`,
  )
  const known = new Set(all.map(({ href }) => href))
  const isDoubtful = hrefs.length >= manyGone && hrefs.length * 2 > known.size
  for (const href of hrefs)
    for (const row of await rowsAt(tx, account, href)) await takeGone(tx, row, counts, isDoubtful)
}

async function bringAll(
  account: CalendarAccount,
  { context, calls }: SyncParts,
  counts: { sent: number },
  signal: AbortSignal,
): Promise<string | null> {
  const { operator, records, clock } = context
  const today = clock().toISOString().slice(0, 10)
  let problem: string | null = null
  const tried = new Set<string>()
  for (let round = 0; round < mostRounds && !signal.aborted; round += 1) {
    const { value: changes } = await records.change(operator, async (tx) => {
      await lockAccount(tx, account.name)
      await placeNew(tx, account, today)
      return changesToBring(tx, account.name)
    })
    const fresh = changes.filter(({ row, version, change }) => {
      const key = JSON.stringify([row.href, row.recurrence, version, change.etag, change.others])
      return !tried.has(key) && tried.add(key)
    })
    if (fresh.length === 0) break
    for (const call of inCalls(fresh)) {
      const [first] = call
      if (!first || signal.aborted) break
      const run = await calls.begin(
        'push_synced_entries',
        { account: account.name, changes: call.map(({ change }) => change) },
        first.label === operatorLabel ? undefined : first.label,
      )
      await records.change(operator, (tx) => noteUnderWay(tx, call, run))
      const end = await calls.settled(run, signal)
      if (end.kind !== 'waiting') problem = (await concluded(run, end, { context, calls }, counts)) ?? problem
    }
  }
  return problem
}

/** What was under way when the last sync ended, or waited for somebody. */
export async function collect(
  account: string,
  { context, calls }: SyncParts,
  counts: { sent: number },
): Promise<string | null> {
  const { operator, records } = context
  const waiting = await records.read(operator, (tx) =>
    entryRows(tx, sql`account = ${account} and push_run is not null`),
  )
  let problem: string | null = null
  for (const run of new Set(waiting.flatMap(({ push_run }) => push_run ?? []))) {
    const end = await calls.endOf(run)
    if (end && end.kind !== 'waiting')
      problem = (await concluded(run, end, { context, calls }, counts)) ?? problem
  }
  return problem
}

/** Questions that no entry waits for: the server has it already, or the note of the call was cut off. */
async function dropForgotten(
  account: string,
  { context: { operator, records }, calls }: SyncParts,
): Promise<void> {
  const waiting = await records.read(operator, async ({ db }) => {
    const { rows } = await sql<{ run: RunId; args: string }>`select r.id as run, c.args
      from runs r join calls c on c.run_id = r.id
      where r.operator_id = ${operator} and r.state = 'parked' and c.tool = 'push_synced_entries' and not exists (
        select 1 from synced_entries e where e.operator_id = r.operator_id and e.push_run = r.id)`.execute(db)
    return rows
  })
  for (const { run, args } of waiting)
    if ((JSON.parse(args) as { readonly account?: unknown }).account === account) await calls.stop(run)
}

async function concluded(
  run: RunId,
  end: Exclude<CallEnd, { kind: 'waiting' }>,
  { context }: SyncParts,
  counts: { sent: number },
): Promise<string | null> {
  const { operator, records } = context
  const told = end.kind === 'done' ? readEnd(end, PushedEntries).changes : undefined
  const { value } = await records.change(operator, async (tx) => {
    let problem: string | null = null
    for (const row of await entryRows(tx, sql`push_run = ${run}`)) {
      const lost = { kind: 'failed' as const, reason: 'The server’s answer makes no sense.' }
      const one = end.kind === 'done' ? (told?.[row.push_place ?? 0] ?? lost) : end
      problem = (await concludeBringing(tx, row, one)) ?? problem
      if (one.kind === 'written') counts.sent += 1
    }
    return problem
  })
  return value
}
