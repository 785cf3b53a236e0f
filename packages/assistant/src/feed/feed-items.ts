/**
 * Owns what there is to tell: the ledger's entries of a stretch, gathered by run, each with a sentence that follows
 * from them alone. Nothing is told that no entry shows.
 */
import type { FeedItem, JsonObject, JsonValue, Label, RunId } from '@countersign/contract'
import { joinLabels, operatorLabel, schedulesCollection, shortened } from '@countersign/contract'
import type { AssistantDb } from '../assistant-context.ts'

export interface FeedItems {
  readonly items: readonly FeedItem[]
  /** What the sentences are worth: runs bring words of others into them. */
  readonly label: Label
  readonly upTo: number
}

interface FeedEntry {
  readonly seq: number
  readonly type: string
  readonly run: RunId | null
  readonly data: JsonObject
}

/** A day of very much work is told by its latest part. */
const mostEntries = 5_000
const mostItems = 60
const mostNamed = 3

/** What stands on its own, in words; nothing where it is not news. The rest is told with its run, or not at all. */
const ownSentences: Readonly<Record<string, (data: JsonObject) => string | undefined>> = {
  'schedule.failed': (data) => `The automation ${named(data)} failed${because(data)}.`,
  'schedule.missed': (data) => `The automation ${named(data)} missed ${missedTimes(data)}.`,
  'goal.completed': (data) => `The goal ${named(data)} is reached.`,
  'goal.paused': (data) => `The goal ${named(data)} was paused.`,
  'plan.ended': (data) =>
    data['status'] === 'failed' ? `The plan ${named(data)} failed: ${words(data['result'])}.` : undefined,
  'budget.reached': (data) => `The budget ${named(data)} reached ${words(data['percent'])} percent.`,
  'spending.held': (data) => `Unattended work is held${because(data)}.`,
  'health.run_stuck': () => 'A run that made no progress was stopped.',
  'memory.forgotten': () => 'A memory was forgotten.',
}

export async function readFeedItems(db: AssistantDb, after: number): Promise<FeedItems> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['seq', 'type', 'run_id', 'body'])
    .where('seq', '>', after)
    .where('type', 'in', [...runTypes, ...Object.keys(ownSentences)])
    .orderBy('seq', 'desc')
    .limit(mostEntries)
    .execute()
  const entries = rows.toReversed().map(({ seq, type, run_id, body }): FeedEntry => {
    const { data } = JSON.parse(body) as { data: JsonObject }
    return { seq, type, run: run_id, data }
  })
  const ids = [...new Set(entries.flatMap(({ run }) => run ?? []))]
  const runs = ids.length === 0 ? [] : await runsOf(db, ids)
  const byRun = Map.groupBy(
    entries.filter(({ type }) => runTypes.includes(type)),
    ({ run }) => run,
  )
  const told = runs.flatMap((run) => runItem(run, byRun.get(run.id) ?? []))
  const schedules = await schedulesOf(db, entries)
  const alone = entries.flatMap((entry) => ownItem(entry, schedules))
  const items = [...told, ...alone]
    .toSorted((left, right) => (left.refs.at(-1) ?? 0) - (right.refs.at(-1) ?? 0))
    .slice(-mostItems)
  const label = [...runs, ...schedules.values()].reduce(
    (joined, each) => (each.label ? joinLabels(joined, each.label) : joined),
    operatorLabel,
  )
  return { items, label, upTo: entries.at(-1)?.seq ?? after }
}

const refusals = ['call.denied', 'call.refused']
const runTypes = ['run.ended', 'effect.outcome', 'approval.decided', ...refusals]

interface NamedSchedule {
  readonly name: string
  readonly label: Label | null
}

/** Entries of schedules say which one; people know it by its name. */
async function schedulesOf(
  db: AssistantDb,
  entries: readonly FeedEntry[],
): Promise<Map<string, NamedSchedule>> {
  const ids = new Set(
    entries.flatMap(({ type, data }) => (type.startsWith('schedule.') ? [words(data['schedule'])] : [])),
  )
  if (ids.size === 0) return new Map()
  const rows = await db
    .selectFrom('records')
    .select(['id', 'data', 'label'])
    .where('collection', '=', schedulesCollection)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, data, label }) => [id, { name: words(data['name']), label }]))
}

function runsOf(db: AssistantDb, ids: readonly RunId[]) {
  return db
    .selectFrom('runs')
    .innerJoin('sessions', 'sessions.id', 'runs.session_id')
    .select(['runs.id', 'runs.goal', 'runs.label', 'runs.about', 'runs.agent', 'sessions.title'])
    .where('runs.id', 'in', [...ids])
    .orderBy('runs.id')
    .execute()
}

function runItem(run: Awaited<ReturnType<typeof runsOf>>[number], entries: readonly FeedEntry[]): FeedItem[] {
  const end = entries.find(({ type }) => type === 'run.ended')
  const effects = entries.filter(({ type, data }) => type === 'effect.outcome' && Number(data['tier']) > 0)
  const denied = entries.filter(({ type }) => refusals.includes(type))
  // A conversation in which nothing was done is not news, and a feed does not tell of itself.
  const isNews = effects.length > 0 || denied.length > 0 || run.about !== null || failed(end)
  if (!isNews || run.agent === 'feed') return []
  const done = effects.filter(({ data }) => data['result'] === 'ok')
  const names = done.slice(0, mostNamed).map(({ data }) => words(data['summary']))
  const parts = [
    `“${shortened(run.title, 80)}” ${endWords(end, effects.length, done.length)}.`,
    ...(names.length > 0 ? [`Done: ${names.join('; ')}${rest(done.length)}.`] : []),
    ...(effects.length > done.length ? [`${effects.length - done.length} could not be done.`] : []),
    ...(denied.length > 0 ? [`${denied.length} refused.`] : []),
  ]
  const refs = [...effects, ...denied, ...(end ? [end] : [])].map(({ seq }) => seq).slice(-50)
  if (refs.length === 0) return []
  const undoable = done.some(({ data }) => data['undoable'] === true)
  return [{ text: shortened(parts.join(' '), 600), refs, goal: run.goal, run: run.id, undoable }]
}

function ownItem(
  { seq, type, run, data }: FeedEntry,
  schedules: ReadonlyMap<string, NamedSchedule>,
): FeedItem[] {
  const name = schedules.get(words(data['schedule']))?.name
  const text = ownSentences[type]?.(name === undefined ? data : { name, ...data })
  if (text === undefined) return []
  const goal = typeof data['goal'] === 'string' ? data['goal'] : null
  return [{ text: shortened(text, 600), refs: [seq], goal, run, undoable: false }]
}

function failed(end: FeedEntry | undefined): boolean {
  return end !== undefined && end.data['reason'] !== 'completed' && end.data['reason'] !== 'manual'
}

/** What came to nothing is not called done. */
function endWords(end: FeedEntry | undefined, tried: number, done: number): string {
  if (!end) return 'is not over'
  const reason = words(end.data['reason'])
  if (reason === 'completed' && tried > 0 && done === 0) return 'failed'
  if (reason === 'completed' && done < tried) return 'was done in part'
  if (reason === 'completed') return 'was done'
  if (reason === 'manual') return 'was stopped by you'
  return `ended without success (${reason})`
}

const rest = (count: number) => (count > mostNamed ? ` and ${count - mostNamed} more` : '')
const named = (data: JsonObject) =>
  `“${shortened(words(data['name'] ?? data['title'] ?? data['budget'] ?? data['schedule']), 80)}”`
const missedTimes = ({ count, last }: JsonObject) =>
  count === undefined || count === 1 ? 'its time' : `${words(count)} times, the last at ${words(last)}`
const because = (data: JsonObject) => (data['reason'] === undefined ? '' : `: ${words(data['reason'])}`)

function words(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim()
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
