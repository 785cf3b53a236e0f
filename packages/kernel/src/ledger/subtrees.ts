/**
 * Owns the hashes of whole parts of the tree, so that a proof over a long ledger reads a few hundred hashes: one for
 * every 256 entries, one for every 256 of those, and so on. They follow the checkpoints, and are made up for a ledger
 * that is older than they are.
 */
import type { OperatorId } from '@countersign/contract'
import { appendLeaf, emptyFrontier, frontierRoot } from '@countersign/contract/node'
import type { Db } from '../store/store.ts'

export const subtreeWidth = 256
/** So many parts of a level are made in one go. */
const partsAtOnce = 20

export async function keepSubtrees(db: Db, operator: OperatorId, size: number): Promise<void> {
  let children = size
  for (let level = 1; children >= subtreeWidth; level += 1) {
    const whole = Math.floor(children / subtreeWidth)
    let made = await countSubtrees(db, level)
    while (made < whole) {
      const until = Math.min(whole, made + partsAtOnce)
      const hashes = await childrenOf(db, level, made, until)
      if (hashes.length !== (until - made) * subtreeWidth)
        throw new Error(`The ledger has gaps: ${hashes.length} hashes below level ${level}.`)
      await db
        .insertInto('ledger_subtrees')
        .values(
          Array.from({ length: until - made }, (_, index) => ({
            operator_id: operator,
            level,
            place: made + index,
            hash: Buffer.from(rootOf(hashes.slice(index * subtreeWidth, (index + 1) * subtreeWidth))),
          })),
        )
        .execute()
      made = until
    }
    children = whole
  }
}

export async function hasSubtrees(db: Db, size: number): Promise<boolean> {
  const whole = Math.floor(size / subtreeWidth)
  return whole === 0 || (await countSubtrees(db, 1)) >= whole
}

async function countSubtrees(db: Db, level: number): Promise<number> {
  const last = await db
    .selectFrom('ledger_subtrees')
    .select('place')
    .where('level', '=', level)
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined ? 0 : last.place + 1
}

async function childrenOf(db: Db, level: number, from: number, until: number): Promise<Buffer[]> {
  if (level === 1) {
    const rows = await db
      .selectFrom('ledger_entries')
      .select('leaf')
      .where('seq', '>', from * subtreeWidth)
      .where('seq', '<=', until * subtreeWidth)
      .orderBy('seq')
      .execute()
    return rows.map(({ leaf }) => leaf)
  }
  const rows = await db
    .selectFrom('ledger_subtrees')
    .select('hash')
    .where('level', '=', level - 1)
    .where('place', '>=', from * subtreeWidth)
    .where('place', '<', until * subtreeWidth)
    .orderBy('place')
    .execute()
  return rows.map(({ hash }) => hash)
}

/** The root over hashes of one height. */
function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  return frontierRoot(hashes.reduce(appendLeaf, emptyFrontier()))
}
