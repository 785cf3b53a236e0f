/**
 * Owns what follows from the end of a run, in the transaction that ends it. A part that fails is undone and reported;
 * the run ends all the same, because a run that cannot end would hold its lane for ever.
 */
import { isPassingFailure, type RecordTransaction } from '@countersign/kernel'
import type { AssistantTransaction } from './assistant-context.ts'

export type Consequence = (tx: AssistantTransaction) => Promise<void>

/** All of them together; and where that fails, one by one, so that the others still follow. */
export async function follow(
  unit: RecordTransaction,
  consequences: readonly Consequence[],
  onProblem: (problem: unknown) => void,
): Promise<void> {
  const all: Consequence = async (tx) => {
    for (const each of consequences) await each(tx)
  }
  if (await succeeds(unit, all, () => undefined)) return
  for (const each of consequences) await succeeds(unit, each, onProblem)
}

async function succeeds(
  unit: RecordTransaction,
  work: Consequence,
  onProblem: (problem: unknown) => void,
): Promise<boolean> {
  try {
    await unit.isolated(work)
    return true
  } catch (problem) {
    // Nothing is wrong with the work: the whole transaction is tried again.
    if (isPassingFailure(problem)) throw problem
    onProblem(problem)
    return false
  }
}
