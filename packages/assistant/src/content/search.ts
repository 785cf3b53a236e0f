/**
 * Owns finding texts by meaning and by words together. Refuses what is not there any more, and looks up what a file is
 * worth when it is found.
 */
import {
  type ContentFacts,
  type ContentQuery,
  entriesOf,
  entriesPrefix,
  type FoundContent,
  isBuiltInCollection,
  type Label,
  type OperatorId,
} from '@countersign/contract'
import { filesWorth, type LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'
import { rankWeights } from '../memory/recall/rank.ts'
import { likenessOf, type VectorIndex, vectorOf } from '../memory/recall/vector-index.ts'
import { countMemories, searchWords } from '../memory/recall/word-search.ts'
import { keptVersions, type WorkspaceTexts } from './files.ts'

export interface SearchParts {
  readonly operator: OperatorId
  readonly index: VectorIndex
  readonly files: Pick<WorkspaceTexts, 'versionOf'>
}

/** The best first; of a message, a note or a file the best piece only. */
export async function searchContent(
  db: LimitedDb,
  { operator, index, files }: SearchParts,
  { collection, account, text, meaning, limit }: ContentQuery,
): Promise<readonly FoundContent[]> {
  const filter = {
    type: isBuiltInCollection(collection) ? collection : entriesOf(collection),
    ...(account === undefined ? {} : { tags: [account] }),
  }
  // Several pieces of one source may be the nearest.
  const wanted = Math.max(40, limit * 4)
  if (meaning) await index.prepare(db, operator)
  const memories = await countMemories(db, operator, 'content')
  const words = await searchWords(db, operator, { kind: 'content', text, limit: wanted, filter, memories })
  const near = meaning
    ? await index.search((work) => work(db), operator, { ...meaning, limit: wanted, filter })
    : []
  const coverage = new Map(words.map((match) => [match.memory, match.coverage]))
  const likeness = new Map(near.map((each) => [each.memory, each.likeness]))
  const ids = [...new Set([...likeness.keys(), ...coverage.keys()])]
  const rows = await readPieces(db, operator, ids, meaning?.model ?? null)
  const scored = rows
    .map((row) => ({
      row,
      score:
        (likeness.get(row.id) ??
          (meaning && row.vector ? likenessOf(meaning.vector, vectorOf(row.vector)) : 0)) +
        rankWeights.coverage * Math.min(1, coverage.get(row.id) ?? 0) ** 2,
    }))
    .toSorted((one, other) => other.score - one.score || (one.row.id < other.row.id ? -1 : 1))
  const best = scored.filter(
    ({ row }, place) => scored.findIndex((each) => each.row.source === row.source) === place,
  )
  const there =
    collection === 'files' ? await presentFiles(db, operator, files, best.slice(0, limit * 2)) : best
  return there.slice(0, limit).map(({ row, score }) => foundFrom(collection, row, score))
}

export async function contentFacts(
  db: LimitedDb,
  operator: OperatorId,
): Promise<ReadonlyMap<string, ContentFacts>> {
  const { rows } = await sql<ContentFacts & { type: string }>`
    select type, sum(count)::integer as texts, max(count) filter (where model is not null)::integer as embedded,
      (array_agg(model order by count desc) filter (where model is not null))[1] as model,
      (array_agg(dimensions order by count desc) filter (where model is not null))[1]::integer as dimensions
    from (
      select type, model, octet_length(vector) / 4 as dimensions, count(*) as count
      from content_index where operator_id = ${operator} group by 1, 2, 3
    ) as each_model
    group by type`.execute(db)
  return new Map(
    rows.map(({ type, texts, embedded, model, dimensions }) => [
      type.startsWith(entriesPrefix) ? type.slice(entriesPrefix.length) : type,
      { texts, embedded: embedded ?? 0, model, dimensions },
    ]),
  )
}

interface PieceRow {
  readonly id: string
  readonly source: string
  readonly title: string
  readonly text: string
  readonly at: Date
  readonly label: Label | null
  readonly vector: Buffer | null
}

interface ScoredPiece {
  readonly row: PieceRow
  readonly score: number
}

/** Only what still says so: its message, note, entry or account is looked at once more, within the same transaction. */
async function readPieces(
  db: LimitedDb,
  operator: OperatorId,
  ids: readonly string[],
  model: string | null,
): Promise<readonly PieceRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PieceRow>`
    select c.id, c.source, c.title, c.text, c.at, c.label, case when c.model = ${model} then c.vector end as vector
    from unnest(${ids}::text[]) as wanted (id)
    join content_index c on c.operator_id = ${operator} and c.id = wanted.id
    where case
      when c.type = 'files' then true
      when c.type = 'emails' then exists (select 1 from searched_mailboxes b
        where b.operator_id = ${operator} and b.account = split_part(c.source, '/', 1) and b.searchable)
      when c.type = 'conversations' then exists (
        select 1 from messages m join sessions s on s.id = m.session_id
        where m.session_id = split_part(c.source, '/', 1) and m.position = split_part(c.source, '/', 2)::bigint
          and s.removed_at is null and not s.private)
      else exists (select 1 from records r
        where r.operator_id = ${operator} and r.collection = c.type and r.id = c.source)
    end`.execute(db)
  return rows
}

/** Those that are as they were read, each with what its file is worth now. */
async function presentFiles(
  db: LimitedDb,
  operator: OperatorId,
  files: Pick<WorkspaceTexts, 'versionOf'>,
  found: readonly ScoredPiece[],
): Promise<readonly ScoredPiece[]> {
  const paths = found.map(({ row }) => row.source)
  const kept = await keptVersions(db, operator, paths)
  const now = await Promise.all(paths.map((path) => files.versionOf(path)))
  const labels = await filesWorth(db, paths)
  return found.flatMap(({ row, score }, place) =>
    now[place] !== undefined && now[place] === kept.get(row.source)
      ? [{ row: { ...row, label: labels[place] ?? null }, score }]
      : [],
  )
}

function foundFrom(
  collection: string,
  { source, title, text, at, label }: PieceRow,
  score: number,
): FoundContent {
  return { collection, source, title, text, at: at.toISOString(), score, label }
}
