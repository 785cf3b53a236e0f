/** Holds work by the goal or the record that it is for, and has the lanes look after the commit. */
import type { Hand } from './hand.ts'

export type Hold = (hand: Hand, ids: readonly string[], held: boolean) => Promise<void>

export function createHold(changed: () => Promise<void>, onProblem: (problem: unknown) => void): Hold {
  return async (hand, ids, held) => {
    if (ids.length === 0) return
    await (held ? hand.holds.hold(ids) : hand.holds.release(ids))
    hand.afterCommit(() => {
      changed().catch(onProblem)
    })
  }
}
