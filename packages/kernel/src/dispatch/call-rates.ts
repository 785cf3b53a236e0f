/**
 * Owns how often a person's runs may make calls: each tool by its own rate, and all tools together. Counts within a
 * sliding window in the database, to the second, so that a new start forgets nothing and several gateways share one
 * count. A refused call does not count: whoever waits as long as they are told gets in.
 */
import type { CallId, Rate, Requester, ToolFacts } from '@countersign/contract'
import { sql } from 'kysely'
import type { Unit } from '../store/store.ts'
import type { KernelMiddleware } from './middleware.ts'

export interface CountedCall {
  readonly id: CallId
  readonly tool: RatedTool
  /** The tool that somebody made, where the call runs its program. */
  readonly made?: RatedTool | undefined
  /** Who the run works for, whoever made the tool. */
  readonly requester: Requester
}

type RatedTool = Pick<ToolFacts, 'name' | 'rate'>

/** What one window counts: a tool, or all tools, for one person. */
interface CallWindow {
  readonly tool: string
  readonly person: string
  readonly rate: Rate
}

/** Calls in each second, by the number of the second. */
type CallsBySecond = Readonly<Record<string, number>>

/** No tool has this name. */
const allTools = '*'

/**
 * To be taken before anything else that the calls of a turn wait for: each window is locked, in one order for all.
 * Refuses in the order of the calls.
 */
export async function takeRates(
  unit: Unit,
  calls: readonly CountedCall[],
  perMinute: number | undefined,
): Promise<KernelMiddleware> {
  const refusals = await refusalsOf(unit, calls, perMinute)
  return { name: 'rate limits', before: (_unit, { id }) => Promise.resolve(refusals.get(id)) }
}

async function refusalsOf(
  unit: Unit,
  calls: readonly CountedCall[],
  perMinute: number | undefined,
): Promise<ReadonlyMap<CallId, string>> {
  const refusals = new Map<CallId, string>()
  const windowsOf = calls.map((call) => ({ call, windows: windowsFor(call, perMinute) }))
  const asked = Map.groupBy(
    windowsOf.flatMap(({ windows }) => windows),
    keyOf,
  )
  if (asked.size === 0) return refusals
  const second = Math.floor(unit.now.getTime() / 1000)
  const counted = await addCalls(unit, second, asked)
  for (const { call, windows } of windowsOf) {
    const full = windows.find((window) => callsIn(counted.get(keyOf(window))) >= window.rate.calls)
    if (full) refusals.set(call.id, refusalText(full, counted.get(keyOf(full)), second))
    else for (const window of windows) countOne(counted, keyOf(window), second)
  }
  if (refusals.size > 0) await keepCounts(unit, asked, counted)
  return refusals
}

function windowsFor({ tool, made, requester }: CountedCall, perMinute: number | undefined): CallWindow[] {
  const person = personOf(requester)
  return [
    ...[tool, ...(made ? [made] : [])].flatMap(({ name, rate }) =>
      rate ? [{ tool: name, person, rate }] : [],
    ),
    ...(perMinute === undefined ? [] : [{ tool: allTools, person, rate: { calls: perMinute, seconds: 60 } }]),
  ]
}

/** The operator is one person on every device, and their schedules work for them. */
function personOf({ kind, id }: Requester): string {
  return kind === 'operator' || kind === 'schedule' ? 'operator' : `${kind}:${id}`
}

const keyOf = ({ tool, person }: CallWindow) => `${tool} ${person}`

/**
 * Adds every call that is asked for, in one statement, and gives what was counted before it. A second that lies ahead,
 * since the clock was set back, counts as this one, so that it leaves the window in its time.
 */
async function addCalls(
  unit: Unit,
  second: number,
  asked: ReadonlyMap<string, readonly CallWindow[]>,
): Promise<Map<string, CallsBySecond>> {
  const windows = [...asked.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, calls: 1 + more.length }] : [],
  )
  const rows = JSON.stringify(windows)
  const oldest = second - Math.max(...windows.map(({ rate }) => rate.seconds))
  const { rows: found } = await sql<{ tool: string; person: string; recent: CallsBySecond }>`
    insert into call_rates as known (operator_id, tool, person, recent, at)
    select ${unit.operator}, tool, person, jsonb_build_object(${String(second)}::text, calls), ${unit.now}
    from jsonb_to_recordset(${rows}::jsonb) as asked (tool text, person text, calls integer)
    order by tool, person
    on conflict (operator_id, tool, person) do update set at = excluded.at, recent = (
      select jsonb_object_agg(second, calls) from (
        select least(second::bigint, ${second}) as second, sum(calls::integer) as calls
        from (select * from jsonb_each_text(known.recent) union all select * from jsonb_each_text(excluded.recent))
          as merged (second, calls)
        where second::bigint > ${oldest} group by 1) as summed)
    returning tool, person, recent`.execute(unit.db)
  const recentOf = new Map(found.map((row) => [`${row.tool} ${row.person}`, row.recent]))
  return new Map(
    windows.map((window) => {
      const recent = Object.entries(recentOf.get(keyOf(window)) ?? {}).map(
        ([at, calls]): [string, number] => [at, Number(at) === second ? calls - window.calls : calls],
      )
      return [
        keyOf(window),
        Object.fromEntries(recent.filter(([at]) => Number(at) > second - window.rate.seconds)),
      ]
    }),
  )
}

function countOne(counted: Map<string, CallsBySecond>, key: string, second: number): void {
  const recent = counted.get(key) ?? {}
  counted.set(key, { ...recent, [second]: (recent[second] ?? 0) + 1 })
}

/** What was refused is taken out of the counts again, which are still locked. */
async function keepCounts(
  unit: Unit,
  asked: ReadonlyMap<string, readonly CallWindow[]>,
  counted: ReadonlyMap<string, CallsBySecond>,
): Promise<void> {
  for (const [key, [first]] of asked) {
    if (!first) continue
    await unit.db
      .updateTable('call_rates')
      .set({ recent: JSON.stringify(counted.get(key) ?? {}) })
      .where('tool', '=', first.tool)
      .where('person', '=', first.person)
      .execute()
  }
}

function callsIn(recent: CallsBySecond = {}): number {
  return Object.values(recent).reduce((sum, calls) => sum + calls, 0)
}

function refusalText({ tool, rate }: CallWindow, recent: CallsBySecond = {}, second: number): string {
  const what = tool === allTools ? 'All tools together' : tool
  const wait = secondsToWait(rate, recent, second)
  return `${what} may be used ${rate.calls} times in ${rate.seconds} seconds. Try again in ${wait} seconds.`
}

/** Until enough of the oldest calls have left the window. */
function secondsToWait(rate: Rate, recent: CallsBySecond, second: number): number {
  let left = callsIn(recent)
  for (const [at, calls] of Object.entries(recent).toSorted(
    ([one], [other]) => Number(one) - Number(other),
  )) {
    left -= calls
    if (left < rate.calls) return Number(at) + rate.seconds - second
  }
  return rate.seconds
}
