/**
 * Answers queries of the ledger: a page of entries, newest first, and one entry in full. Reads a limited number of
 * entries for one page, and returns where to continue. Sentences are in the language of the reader.
 */
import {
  type AskLedger,
  CountersignError,
  type Language,
  type LedgerEntryDetail,
  type LedgerEntryView,
  type LedgerPage,
  type LedgerQuery,
  type OperatorId,
  parseLedgerQuery,
  type ReadyLedgerQuery,
  RunId,
  readyLedgerQuery,
  type Zone,
} from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { entryReferencesOf, type ParsedEntry, parseEntryBody, resourcesOf } from './entry-references.ts'
import { redactedView, viewOfEntry, withResources } from './entry-view.ts'
import { createFacetCounter } from './facets.ts'

export interface LedgerViews {
  page(operator: OperatorId, ask: AskLedger, language: Language): Promise<LedgerPage>
  entry(operator: OperatorId, seq: number, language: Language): Promise<LedgerEntryDetail>
}

export interface LedgerOptions {
  readonly read: Reader
  readonly clock: () => Date
  readonly zone: Zone
  readonly redact: (text: string) => string
  /** The most entries that are looked at for one page. */
  readonly mostLooked?: number
}

const largestBatch = 2_000
const smallestBatch = 200
/** Entries of one moment may be numbered in another order than their times; this many are looked at beyond. */
const disorder = 500

export function createLedger(options: LedgerOptions): LedgerViews {
  const { read, redact } = options
  const mostLooked = options.mostLooked ?? 50_000

  return {
    page(operator, ask, language) {
      const { query, problems } = parseLedgerQuery(ask.q)
      const [problem] = problems
      if (problem)
        throw new CountersignError('usage', problem.message, {
          next: problem.next,
          details: { at: problem.at, length: problem.length },
        })
      const ready = readyLedgerQuery(query, { now: options.clock(), zone: options.zone })
      return read(operator, async (db) => {
        const { size, signed } = await extent(db)
        const start = await firstBefore(db, ready, Math.min(ask.before ?? size + 1, size + 1))
        const found = await search(db, { ask, query, ready, start, signed, mostLooked, language })
        return { ...found, size, entries: await finished(db, found.entries) }
      })
    },

    entry(operator, seq, language) {
      return read(operator, async (db) => {
        const row = await rows(db).where('seq', '=', seq).executeTakeFirst()
        if (!row)
          throw new CountersignError('not_found', `The ledger has no entry ${seq}.`, {
            next: 'List the newest entries with `countersign ledger query`.',
          })
        const { signed } = await extent(db)
        const entries = [parseEntryBody(row)]
        const context = { around: await entryReferencesOf(db, entries), signed, language }
        const [entry] = await finished(
          db,
          entries.map((each) => viewOfEntry(each, context)),
        )
        if (!entry) throw new Error(`entry ${seq} cannot be shown`)
        const checkpoint = await db
          .selectFrom('checkpoints')
          .select(['size', 'at', 'note'])
          .where('size', '>=', seq)
          .orderBy('size')
          .limit(1)
          .executeTakeFirst()
        const body = redact(row.body)
        return {
          entry,
          body,
          exact: body === row.body,
          checkpoint: checkpoint
            ? { size: checkpoint.size, at: checkpoint.at.toISOString(), note: checkpoint.note }
            : null,
        }
      })
    },
  }

  async function finished(db: LimitedDb, entries: readonly LedgerEntryView[]): Promise<LedgerEntryView[]> {
    const resources = await resourcesOf(
      db,
      entries.flatMap(({ call }) => call ?? []),
    )
    return entries.map((entry) =>
      redactedView(withResources(entry, entry.call ? resources.get(entry.call) : undefined), redact),
    )
  }
}

interface Search {
  readonly ask: AskLedger
  readonly query: LedgerQuery
  readonly ready: ReadyLedgerQuery
  /** Only entries before this number. */
  readonly start: number
  readonly signed: number
  readonly mostLooked: number
  readonly language: Language
}

async function search(
  db: LimitedDb,
  { ask, query, ready, start, signed, mostLooked, language }: Search,
): Promise<Pick<LedgerPage, 'entries' | 'next' | 'looked' | 'facets'>> {
  const lowest = ask.after ?? 0
  const narrowed = narrow(query)
  // The entries of one run are found by an index, however far apart they stand.
  const floor = narrowed.run === undefined ? Math.max(lowest, start - 1 - mostLooked) : lowest
  const size =
    ask.facets === 'yes' ? largestBatch : Math.min(largestBatch, Math.max(smallestBatch, ask.limit * 2))
  const needsEffects = query.terms.some((term) => term.kind === 'is' && term.field === 'effect')
  const facets = createFacetCounter()
  const entries: LedgerEntryView[] = []
  let cursor = start
  let isOver = false
  while (!isOver && entries.length < ask.limit && cursor > floor + 1) {
    const batch = await narrowedRows(db, narrowed)
      .where('seq', '<', cursor)
      .where('seq', '>', floor)
      .orderBy('seq', 'desc')
      .limit(size)
      .execute()
    const read = batch.map(parseEntryBody)
    const context = { around: await entryReferencesOf(db, read), signed, language }
    const resources = needsEffects
      ? await resourcesOf(
          db,
          batch.flatMap(({ call_id }) => call_id ?? []),
        )
      : undefined
    for (const each of read) {
      const plain = viewOfEntry(each, context)
      const view = plain.call ? withResources(plain, resources?.get(plain.call)) : plain
      if (!ready.matches(view)) continue
      facets.count(view)
      if (entries.length < ask.limit) entries.push(view)
    }
    cursor = batch.length < size ? floor + 1 : (batch.at(-1)?.seq ?? floor + 1)
    isOver = isBefore(read, ready.since, size)
  }
  const isFull = entries.length === ask.limit
  const reached = isFull ? (entries.at(-1)?.seq ?? cursor) : cursor
  return {
    entries,
    next: (isOver && !isFull) || reached <= lowest + 1 ? null : reached,
    looked: start - cursor,
    ...(ask.facets === 'yes' ? { facets: facets.facets() } : {}),
  }
}

interface NarrowedSearch {
  readonly run: RunId | undefined
  /** Names of types, or of their families. */
  readonly types: readonly string[]
}

/** What the database can leave out by itself. The rest is looked at here, since a body is one text. */
function narrow({ terms }: LedgerQuery): NarrowedSearch {
  const values = (field: string) =>
    terms.flatMap((term) => (term.kind === 'is' && term.field === field && !term.not ? [term.value] : []))
  const runs = values('run')
  const run = runs.length === 1 ? RunId.safeParse(runs[0]) : undefined
  return { run: run?.data, types: values('type').map((type) => type.toLowerCase().replace(/\.$/, '')) }
}

function narrowedRows(db: LimitedDb, { run, types }: NarrowedSearch) {
  return rows(db)
    .$if(run !== undefined, (query) => query.where('run_id', '=', run as RunId))
    .$if(types.length > 0, (query) =>
      query.where((where) =>
        where.or(
          types.flatMap((type) => [where('type', '=', type), where('type', 'like', `${likeText(type)}.%`)]),
        ),
      ),
    )
}

function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

function rows(db: LimitedDb) {
  return db
    .selectFrom('ledger_entries')
    .select(['seq', 'type', 'run_id', 'call_id', 'approval_id', 'body', 'leaf'])
}

async function extent(db: LimitedDb): Promise<{ size: number; signed: number }> {
  const { ledger_size: size } = await db
    .selectFrom('operators')
    .select('ledger_size')
    .executeTakeFirstOrThrow()
  const last = await db
    .selectFrom('checkpoints')
    .select('size')
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { size, signed: last?.size ?? 0 }
}

/** True once a whole batch is older than what is asked for: nothing before it is younger. */
function isBefore(batch: readonly ParsedEntry[], since: Date | null, size: number): boolean {
  if (since === null || batch.length < Math.min(size, smallestBatch)) return false
  return batch.slice(-disorder).every(({ body }) => Date.parse(body.at) < since.getTime())
}

/** Entries stand in the order of time, near enough: the end of what is asked for is found by halving. */
async function firstBefore(db: LimitedDb, { until }: ReadyLedgerQuery, start: number): Promise<number> {
  if (until === null) return start
  let low = 1
  let high = start
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await rows(db).where('seq', '=', middle).executeTakeFirst()
    if (row && Date.parse(parseEntryBody(row).body.at) < until.getTime()) low = middle + 1
    else high = middle
  }
  return Math.min(start, low + disorder)
}
