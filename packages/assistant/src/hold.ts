/** Owns holding work by the goal or the record that it is for. The lanes look at the rows; this tells them to. */
import type { Hand } from './hand.ts'

export type Hold = (hand: Hand, ids: readonly string[], held: boolean) => Promise<void>

export function createHold(changed: () => Promise<void>, onProblem: (problem: unknown) => void): Hold {
  return async (hand, ids, held) => {
    if (ids.length === 0) return
    if (held)
      await hand.db
        .insertInto('held_goals')
        .values(ids.map((goal) => ({ operator_id: hand.operator, goal, at: hand.now })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    else
      await hand.db
        .deleteFrom('held_goals')
        .where('goal', 'in', [...ids])
        .execute()
    hand.afterCommit(() => {
      changed().catch(onProblem)
    })
  }
}
