/**
 * Owns what extensions were used for, read from the calls themselves. A skill that the operator read by hand, as before its
 * review, was not used by that, and neither is a call that was not run. What had the name of an extension before it was let in
 * is not that one.
 */
import type {
  CallId,
  ExtensionCall,
  ExtensionUse,
  InstalledExtensions,
  OperatorId,
  RunId,
  Tier,
} from '@countersign/contract'
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
    extensionUse: (operator: OperatorId, installed: InstalledExtensions): Promise<ExtensionUse> =>
      read(operator, (db) => extensionUse(db, addedIn(installed), since())),
    extensionCalls: (
      operator: OperatorId,
      name: string,
      installed: InstalledExtensions,
    ): Promise<ExtensionCall[]> =>
      read(operator, (db) => extensionCalls(db, name, { added: addedIn(installed), since: since() })),
  }
}

/** When each was let in, by its name. */
type Added = Readonly<Record<string, string>>

function addedIn({ servers, skills }: InstalledExtensions): Added {
  return Object.fromEntries([...servers, ...skills].map(({ name, addedAt }) => [name, addedAt]))
}

async function extensionUse(db: LimitedDb, added: Added, since: Date): Promise<ExtensionUse> {
  const { rows } = await sql<{
    name: string | null
    part: string | null
    calls: number
    failures: number
    last: Date
    oldest: Date
    total: number
  }>`
    with used as materialized (${used(since)})
    select used.name, part, count(*)::integer as calls, count(*) filter (where outcome <> 'ok')::integer as failures,
      max(ended_at) as last, (select min(ended_at) from used) as oldest,
      (select count(*)::integer from used) as total
    from used left join json_each_text(${JSON.stringify(added)}::json) as added(name, at) on added.name = used.name
    where used.name is null or part is null or ended_at >= added.at::timestamptz
    group by used.name, part order by used.name, part`.execute(db)
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
  const [first] = rows
  return {
    since: (first?.total === mostCounted ? first.oldest : since).toISOString(),
    unknown,
    extensions: [...extensions].map(([name, parts]) => ({ name, parts })),
  }
}

async function extensionCalls(
  db: LimitedDb,
  name: string,
  { added, since }: { readonly added: Added; readonly since: Date },
): Promise<ExtensionCall[]> {
  const from = Object.hasOwn(added, name) ? new Date(added[name] ?? '') : since
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
    from (${used(since)}) as used where name = ${name} and ended_at >= ${from} order by ended_at desc limit ${mostShown}`.execute(
    db,
  )
  return rows.map(({ at, ledger, ...row }) => ({
    ...row,
    at: at.toISOString(),
    ledger: ledger === null ? null : Number(ledger),
  }))
}
