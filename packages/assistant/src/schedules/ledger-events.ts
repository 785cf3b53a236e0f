/**
 * Owns what a schedule hears: entries of the ledger in their order, each once. It never hears its own runs, and of
 * messages only those of people; schedules that set each other off are slowed down by their rate.
 */
import { type Label, operatorLabel, Requester, type Trigger } from '@countersign/contract'
import type { Work } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import type { LockedSchedule } from './cursor.ts'

export type EventTrigger = Extract<Trigger, { kind: 'event' }>

export interface LedgerEvent {
  readonly key: string
  readonly at: number
  /** What is looked through for the words of the trigger. */
  readonly said: string
  /** For the agent. */
  readonly words: string
  readonly label: Label
  /** Whoever wrote the message, or asked for the run that the entry is of, where that was not the operator. */
  readonly person: Requester | null
}

export interface LedgerEvents {
  readonly heard: readonly LedgerEvent[]
  /** Everything up to here was looked at. */
  readonly seq: number
}

const mostEntries = 500
const longestWords = 4_000

export async function listen(
  tx: AssistantTransaction,
  held: LockedSchedule,
  trigger: EventTrigger,
): Promise<LedgerEvents> {
  const entries = await entriesAfter(tx, held, trigger)
  const all = entries.length < mostEntries
  const seq = all ? held.ledgerSize : (entries.at(-1)?.seq ?? held.ledgerSize)
  const foreign = entries.filter((entry) => entry.seq <= seq && !isOwn(entry, held.id))
  const heard = trigger.on === 'message' ? await messages(tx, foreign) : foreign.map(spoken)
  const wanted = trigger.contains?.toLowerCase()
  return {
    heard: heard.filter(({ said }) => wanted === undefined || said.toLowerCase().includes(wanted)),
    seq,
  }
}

interface LedgerRow {
  readonly seq: number
  readonly body: string
  readonly label: Label | null
  readonly schedule: string | null
  /** Of the message that the run answers, or that the entry is of. */
  readonly requester: unknown
}

async function entriesAfter(
  { db, operator }: AssistantTransaction,
  { cursor, ledgerSize }: LockedSchedule,
  trigger: EventTrigger,
) {
  const type = trigger.on === 'message' ? 'input.admitted' : trigger.type
  const ofType =
    type === undefined
      ? sql`true`
      : type.endsWith('.*')
        ? sql`e.type >= ${type.slice(0, -1)} and e.type < ${`${type.slice(0, -2)}/`}`
        : sql`e.type = ${type}`
  const { rows } = await sql<LedgerRow>`
    select e.seq, e.body, u.label, u.schedule, i.requester from ledger_entries e
    left join runs u on u.operator_id = e.operator_id and u.id = e.run_id
    left join inputs i on i.operator_id = e.operator_id and i.id = case
      when e.type = 'input.admitted' then e.body::json -> 'data' ->> 'input' else u.input_id end
    where e.operator_id = ${operator} and e.seq > ${cursor.ledgerSeq} and e.seq <= ${ledgerSize} and ${ofType}
    order by e.seq limit ${mostEntries}`.execute(db)
  return rows
}

/** By its run, which work that it began has too, or because it speaks of the schedule itself. */
function isOwn({ schedule, body }: LedgerRow, id: string): boolean {
  return schedule === id || dataOf(body)['schedule'] === id
}

function spoken({ seq, body, label, requester }: LedgerRow): LedgerEvent {
  const { type, at, actor } = frameOf(body)
  const ofNobody: Label = { integrity: 'untrusted', confidentiality: 'private', sources: [`ledger:${type}`] }
  const byOperator = actor.kind === 'operator' && type !== 'input.admitted'
  const data = dataOf(body)
  const said = JSON.stringify(data)
  const told = byOperator && label === null ? JSON.stringify(plainFacts(data)) : said
  return {
    key: `ledger/${seq}`,
    at,
    said,
    words: `${type} ${told}`.slice(0, longestWords),
    // An entry of no run may tell words of anybody; of what the operator did only that is told which has none.
    label: label ?? (byOperator ? { integrity: 'tool', confidentiality: 'private', sources: [] } : ofNobody),
    person: personIn(requester),
  }
}

/** Ids and figures. A name is whoever's who gave it, whatever the operator did with it. */
export function plainFacts(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isPlain = (value: unknown) =>
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && /^[a-z]{2,8}_[0-9a-f]{32}$/.test(value))
  return Object.fromEntries(Object.entries(data).filter(([, value]) => isPlain(value)))
}

/** What somebody else sets off is done for them, whosever the schedule is. */
function personIn(requester: unknown): Requester | null {
  const read = Requester.safeParse(requester)
  return read.success && read.data.kind === 'peer' ? read.data : null
}

/** Only what people say: a message that a schedule or a webhook sent sets nothing off. */
async function messages(
  { db, operator }: AssistantTransaction,
  entries: readonly LedgerRow[],
): Promise<readonly LedgerEvent[]> {
  const ids = entries.map(({ body }) => {
    const { input } = dataOf(body)
    return typeof input === 'string' ? input : ''
  })
  if (ids.length === 0) return []
  const { rows } = await sql<{
    id: string
    text: string
    requester: unknown
    work: Work | null
    label: Label | null
  }>`
    select id, text, requester, work, label from inputs
    where operator_id = ${operator} and id = any(${ids}::text[])`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return entries.flatMap((entry, place): LedgerEvent[] => {
    const input = byId.get(ids[place] ?? '')
    const from = Requester.safeParse(input?.requester)
    if (!input || !from.success || input.work?.schedule || input.work?.unattended || input.work?.parent)
      return []
    if (from.data.kind !== 'operator' && from.data.kind !== 'peer') return []
    const { at } = frameOf(entry.body)
    const usual: Label =
      from.data.kind === 'operator'
        ? operatorLabel
        : { integrity: 'paired', confidentiality: 'private', sources: [] }
    const words = `A message of ${from.data.id}: ${input.text}`.slice(0, longestWords)
    const label = input.label ?? usual
    return [
      { key: `ledger/${entry.seq}`, at, said: input.text, words, label, person: personIn(input.requester) },
    ]
  })
}

function frameOf(body: string): { type: string; at: number; actor: { kind: string } } {
  const { type, at, actor } = JSON.parse(body) as { type: string; at: string; actor: { kind: string } }
  return { type, at: Date.parse(at), actor }
}

function dataOf(body: string): Record<string, unknown> {
  return (JSON.parse(body) as { data?: Record<string, unknown> }).data ?? {}
}
