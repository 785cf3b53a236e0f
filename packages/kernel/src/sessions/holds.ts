/** Holds on the work of a goal or a record. Lanes start nothing that is held, and what runs parks. */
import type { Unit } from '../store/store.ts'

/** The holds of one operator within one transaction. Lanes see a change once `kernel.holdsChanged` was called after it. */
export interface Holds {
  /** Holds the work that is done for these goals or records. One that is held already stays held. */
  hold(ids: readonly string[]): Promise<void>
  /** Ends their hold. One that is not held is passed over. */
  release(ids: readonly string[]): Promise<void>
}

export function holdsIn({ db, operator, now }: Pick<Unit, 'db' | 'operator' | 'now'>): Holds {
  return {
    async hold(ids) {
      if (ids.length === 0) return
      await db
        .insertInto('held_goals')
        .values(ids.map((goal) => ({ operator_id: operator, goal, at: now })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async release(ids) {
      if (ids.length === 0) return
      await db
        .deleteFrom('held_goals')
        .where('goal', 'in', [...ids])
        .execute()
    },
  }
}
