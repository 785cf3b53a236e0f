/** Owns what the operator says of files: which are theirs, and which are not. No tool comes here. */
import type { FileMarks, Label } from '@countersign/contract'
import type { Actor, Db, Unit } from '../store/store.ts'
import { isAt, isUnder, markPaths } from './file-labels.ts'

const mostListed = 500

/** The marks at a path and in it; those of every file where none is named. */
export async function fileMarks(db: Db, path?: string): Promise<FileMarks> {
  const marks = await db
    .selectFrom('file_labels')
    .select(['path', 'label', 'marked_at'])
    .where('cleared_at', 'is', null)
    .$if(path !== undefined, (query) => query.where((where) => where.or(placed(path ?? '.'))))
    .orderBy('marked_at', 'desc')
    .orderBy('path')
    .limit(mostListed + 1)
    .execute()
  const own = await db
    .selectFrom('own_paths')
    .select(['path', 'said_at'])
    .$if(path !== undefined, (query) => query.where((where) => where.or(placed(path ?? '.'))))
    .orderBy('path')
    .limit(mostListed)
    .execute()
  return {
    marks: marks
      .slice(0, mostListed)
      .map((mark) => ({ path: mark.path, label: mark.label, markedAt: mark.marked_at.toISOString() })),
    more: marks.length > mostListed,
    own: own.map((each) => ({ path: each.path, saidAt: each.said_at.toISOString() })),
  }
}

/** What is there now is the operator's. What strangers' text leads to later is marked again. */
export async function trustPath(unit: Unit, path: string, actor: Actor): Promise<number> {
  // Not forgotten: an undo may bring back content that was there before and that nobody spoke of.
  const removed = await unit.db
    .updateTable('file_labels')
    .set({ cleared_at: unit.now })
    .where((where) => where.or(placed(path)))
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  await unit.db
    .insertInto('own_paths')
    .values({ operator_id: unit.operator, path, said_at: unit.now })
    .onConflict((conflict) =>
      conflict
        .columns(['operator_id', 'path'])
        .doUpdateSet((said) => ({ said_at: said.ref('excluded.said_at') })),
    )
    .execute()
  const count = Number(removed.numUpdatedRows)
  unit.record({ type: 'file.trusted', actor, data: { path: path.slice(0, 500), removed: count } })
  return count
}

export async function distrustPath(unit: Unit, path: string, actor: Actor): Promise<void> {
  await markPaths(unit, [path], byHand)
  unit.record({ type: 'file.distrusted', actor, data: { path: path.slice(0, 500) } })
}

const byHand: Label = {
  integrity: 'untrusted',
  confidentiality: 'private',
  sources: ['marked by the operator'],
}

const placed = (path: string) => [isAt(path), isUnder(path)]
