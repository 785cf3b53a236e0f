/**
 * Owns what extensions were used for, read from the calls themselves. A skill that the operator read by hand, as before its
 * review, was not used by that, and neither is a call that was not run.
 */
import type { CallId, ExtensionCall, ExtensionUse, OperatorId, RunId, Tier } from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { sql } from 'kysely'

const days = 90
const mostCounted = 50_000
const mostShown = 50

/**
 * What the database cannot hold as text, such as in the name of a tool, would make the whole question fail. The words for it, with
 * a backslash of their own, are only words: nobody hides a call by them.
 */
const readable = sql`case when strpos(replace(args, '\\\\', ''), '\\u0000') = 0 then nullif(args, '')::json end`

/** Names are for one extension only, so a name says which it is. */
const used = (since: Date) => sql`
  select id, run_id, tier, outcome, ended_at,
    case tool when 'call_server_tool' then given ->> 'server'
      when 'use_skill' then given ->> 'name' else given ->> 'skill' end as name,
    case tool when 'call_server_tool' then given ->> 'tool' else tool end as part
  from (select calls.id, calls.run_id, calls.tier, calls.outcome, calls.ended_at, calls.tool, ${readable} as given
  from calls join runs on runs.id = calls.run_id
  where calls.tool in ('call_server_tool', 'use_skill', 'read_skill_file', 'run_skill_script')
    and calls.outcome in ('ok', 'failed', 'unknown') and calls.ended_at > ${since}
    and (runs.kind <> 'direct' or calls.tool = 'call_server_tool')
  order by calls.ended_at desc limit ${mostCounted}) as ended`

export function createExtensionViews(read: Reader, clock: () => Date) {
  const since = () => new Date(clock().getTime() - days * 86_400_000)
  return {
    extensionUse: (operator: OperatorId): Promise<ExtensionUse> =>
      read(operator, (db) => extensionUse(db, since())),
    extensionCalls: (operator: OperatorId, name: string): Promise<ExtensionCall[]> =>
      read(operator, (db) => extensionCalls(db, name, since())),
  }
}

async function extensionUse(db: LimitedDb, since: Date): Promise<ExtensionUse> {
  const { rows } = await sql<{
    name: string | null
    part: string | null
    calls: number
    failures: number
    last: Date
    oldest: Date
    total: number
  }>`
    select name, part, count(*)::integer as calls, count(*) filter (where outcome <> 'ok')::integer as failures,
      max(ended_at) as last, min(ended_at) as oldest, (sum(count(*)) over ())::integer as total
    from (${used(since)}) as used group by name, part order by name, part`.execute(db)
  const extensions = new Map<string, ExtensionUse['extensions'][number]['parts']>()
  let unknown = 0
  for (const { name, part, calls, failures, last } of rows) {
    if (name === null || part === null) {
      unknown += calls
      continue
    }
    const parts = extensions.get(name) ?? []
    parts.push({ part, calls, failures, lastAt: last.toISOString() })
    extensions.set(name, parts)
  }
  const isCut = rows[0]?.total === mostCounted
  const oldest = rows.reduce((least, row) => Math.min(least, row.oldest.getTime()), Number.POSITIVE_INFINITY)
  return {
    since: (isCut ? new Date(oldest) : since).toISOString(),
    unknown,
    extensions: [...extensions].map(([name, parts]) => ({ name, parts })),
  }
}

async function extensionCalls(db: LimitedDb, name: string, since: Date): Promise<ExtensionCall[]> {
  const { rows } = await sql<{
    id: CallId
    run: RunId
    part: string
    tier: Tier | null
    outcome: ExtensionCall['outcome']
    at: Date
    ledger: number | null
  }>`
    select id, run_id as run, part, tier, outcome, ended_at as at,
      (select max(seq) from ledger_entries where call_id = used.id) as ledger
    from (${used(since)}) as used where name = ${name} order by ended_at desc limit ${mostShown}`.execute(db)
  return rows.map(({ at, ledger, ...row }) => ({
    ...row,
    at: at.toISOString(),
    ledger: ledger === null ? null : Number(ledger),
  }))
}
