/** Owns the rows of the index: the pieces that a text is found by. */
import type { Label, OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { piecesOf as cutText } from '@countersign/tools'
import { sql } from 'kysely'
import { contentLimits } from './limits.ts'

export interface SourceText {
  readonly collection: string
  readonly source: string
  readonly title: string
  readonly text: string
  readonly at: Date
  readonly label: Label | null
  /** What it can be narrowed to, as the account of an e-mail. */
  readonly tags?: readonly string[]
}

/** In the place of all pieces that the source had. */
export async function putPieces(
  db: LimitedDb,
  operator: OperatorId,
  { collection, source, title, text, at, label, tags = [] }: SourceText,
): Promise<void> {
  await dropPieces(db, operator, collection, source)
  const pieces = piecesOf(text)
  if (pieces.length === 0) return
  const kept = label && JSON.stringify(label)
  // The title of a conversation says nothing of its single messages.
  const named = collection === 'conversations' ? '' : storable(title)
  await sql`
    insert into content_index (operator_id, id, type, tags, source, title, text, at, label, words)
    select ${operator}, ${`${collection}/${source}/`} || (place - 1), ${collection}, ${tags}::text[], ${source},
      ${storable(title)}, piece,
      ${at}, ${kept}::json, to_tsvector('pg_catalog.english', ${named} || ' ' || piece)
    from unnest(${pieces.map(storable)}::text[]) with ordinality as given (piece, place)`.execute(db)
}

export async function dropPieces(
  db: LimitedDb,
  operator: OperatorId,
  collection: string,
  source: string,
): Promise<void> {
  await sql`delete from content_index
    where operator_id = ${operator} and type = ${collection} and source = ${source}`.execute(db)
}

/** Cut at a blank line, a line, a sentence or a space; what has no letter is left out. */
export function piecesOf(text: string): string[] {
  const most = contentLimits.piece * contentLimits.piecesEach
  return cutText(text.slice(0, most), contentLimits.piece)
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
    .slice(0, contentLimits.piecesEach)
}

/** PostgreSQL keeps no zero character. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
