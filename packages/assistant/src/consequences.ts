/**
 * Owns what follows from the end of a run, in the transaction that ends it. A room that fails is undone and reported;
 * the run ends all the same, because a run that cannot end would hold its lane for ever.
 */
import { houseUnit, isPassing, type Unit } from '@countersign/kernel'
import { sql } from 'kysely'
import type { Hand } from './hand.ts'

export type Consequence = (hand: Hand) => Promise<void>

/** All of them together; and where that fails, one by one, so that the others still follow. */
export async function follow(
  unit: Unit,
  consequences: readonly Consequence[],
  onProblem: (problem: unknown) => void,
): Promise<void> {
  const all: Consequence = async (hand) => {
    for (const each of consequences) await each(hand)
  }
  if (await isolated(unit, all, () => undefined)) return
  for (const each of consequences) await isolated(unit, each, onProblem)
}

async function isolated(
  unit: Unit,
  work: Consequence,
  onProblem: (problem: unknown) => void,
): Promise<boolean> {
  const told: (() => void)[] = []
  const hand = houseUnit({
    ...unit,
    record: (entry) => told.push(() => unit.record(entry)),
    emit: (event) => told.push(() => unit.emit(event)),
    afterCommit: (action) => told.push(() => unit.afterCommit(action)),
  })
  await sql`savepoint consequences`.execute(unit.db)
  try {
    await work(hand)
    await sql`release savepoint consequences`.execute(unit.db)
  } catch (problem) {
    // Nothing is wrong with the work: the whole transaction is tried again.
    if (isPassing(problem)) throw problem
    await sql`rollback to savepoint consequences`.execute(unit.db)
    onProblem(problem)
    return false
  }
  for (const tell of told) tell()
  return true
}
