/** Owns what holds a run: a pause of everything, or of its goal. */
import { type Holdable, heldBy, type SeenPauses } from '../store/run-row.ts'
import type { Unit } from '../store/store.ts'

/** A pause is confirmed under the operator's lock, so that nothing is left behind by a resume at the same time. */
export async function isPaused(unit: Unit, work?: Holdable | null, known?: SeenPauses): Promise<boolean> {
  const query = unit.db.selectFrom('operators').select('paused_at').select(heldBy(work).as('held'))
  const seen = known ?? (await query.executeTakeFirstOrThrow())
  if (seen.paused_at === null && !seen.held) return false
  // The lock by itself: a look that had to wait for it would show what was held before it waited.
  await unit.db.selectFrom('operators').select('id').forNoKeyUpdate().execute()
  const sure = await query.executeTakeFirstOrThrow()
  return sure.paused_at !== null || sure.held
}
