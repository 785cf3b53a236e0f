/**
 * Owns the proof that a ledger of one size begins with the ledger of a smaller one (RFC 6962, 2.1.2). What it reads
 * grows with the logarithm of the size: entries at the edges, and hashes of whole parts between them.
 */
import { appendLeaf, emptyFrontier, frontierRoot } from '@countersign/contract/node'
import { sql } from 'kysely'
import type { Db } from '../store/store.ts'
import { subtreeWidth } from './subtrees.ts'

/**
 * A whole subtree as the hashes of one level that it is made of, from the first to the last. Level 0 are the entries;
 * a hash of a higher level has 256 of the one below under it.
 */
interface Piece {
  readonly level: number
  readonly first: number
  readonly last: number
}

export interface GrowthProof {
  /** In base64, as the format orders them. */
  readonly proof: readonly string[]
  /** How many hashes were read for it. */
  readonly read: number
}

/** Both sizes are of checkpoints, so everything up to the larger one is there; `keepSubtrees` ran after it was signed. */
export async function growthProof(db: Db, from: number, to: number): Promise<GrowthProof> {
  if (from <= 0 || from >= to) return { proof: [], read: 0 }
  const nodes = nodesOf(from, 0, to, true).map(piecesOf)
  const known = await readHashes(db, nodes.flat())
  const proof = nodes.map((pieces) => Buffer.from(rootOf(pieces, known)).toString('base64'))
  return { proof, read: known.size }
}

/** The root of the first entries, at the same cost. */
export async function rootAt(db: Db, size: number): Promise<string> {
  const pieces = piecesOf({ start: 0, end: size })
  const known = await readHashes(db, pieces)
  return Buffer.from(rootOf(pieces, known)).toString('base64')
}

/** The parts of the tree from `start` to `end` whose hashes make the proof. */
function nodesOf(
  from: number,
  start: number,
  end: number,
  isWhole: boolean,
): { start: number; end: number }[] {
  const size = end - start
  if (from === size) return isWhole ? [] : [{ start, end }]
  const middle = start + largestBelow(size)
  return from <= middle - start
    ? [...nodesOf(from, start, middle, isWhole), { start: middle, end }]
    : [...nodesOf(from - (middle - start), middle, end, false), { start, end: middle }]
}

/** The largest power of two that is smaller. */
function largestBelow(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/** The whole subtrees that the part is made of, the largest first. */
function piecesOf({ start, end }: { readonly start: number; readonly end: number }): Piece[] {
  const pieces: Piece[] = []
  for (let at = start; at < end; ) {
    let size = 1
    while (size * 2 <= end - at) size *= 2
    let level = 0
    let width = 1
    while (width * subtreeWidth <= size) {
      width *= subtreeWidth
      level += 1
    }
    pieces.push({ level, first: at / width, last: (at + size) / width - 1 })
    at += size
  }
  return pieces
}

function rootOf(pieces: readonly Piece[], known: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const size = pieces.reduce(
    (sum, { level, first, last }) => sum + (last - first + 1) * subtreeWidth ** level,
    0,
  )
  return frontierRoot({ size, peaks: pieces.map((piece) => hashOf(piece, known)) })
}

function hashOf({ level, first, last }: Piece, known: ReadonlyMap<string, Uint8Array>): Uint8Array {
  let frontier = emptyFrontier()
  for (let place = first; place <= last; place += 1) {
    const hash = known.get(`${level}/${place}`)
    if (hash === undefined) throw new Error(`The hash ${place} of level ${level} of the ledger is missing.`)
    frontier = appendLeaf(frontier, hash)
  }
  return frontierRoot(frontier)
}

/** One statement for each level, by the exact places: each is found in the index, however long the ledger is. */
async function readHashes(db: Db, pieces: readonly Piece[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const known = new Map<string, Uint8Array>()
  for (const [level, wanted] of Map.groupBy(pieces, (piece) => piece.level)) {
    const places = wanted.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    )
    for (const { place, hash } of await hashesAt(db, level, places))
      known.set(`${level}/${Number(place)}`, hash)
  }
  return known
}

async function hashesAt(
  db: Db,
  level: number,
  places: readonly number[],
): Promise<readonly { place: number; hash: Buffer }[]> {
  if (level > 0)
    return db
      .selectFrom('ledger_subtrees')
      .select(['place', 'hash'])
      .where('level', '=', level)
      .where('place', '=', sql<number>`any(${places}::bigint[])`)
      .execute()
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['seq', 'leaf'])
    .where('seq', '=', sql<number>`any(${places.map((place) => place + 1)}::bigint[])`)
    .execute()
  return rows.map(({ seq, leaf }) => ({ place: Number(seq) - 1, hash: leaf }))
}
