/**
 * Owns the step in which the operator's words to a run are read for what they ask for, once for each message. Whoever
 * reads them is shown these words and nothing else, so it does not matter what the run has read by then.
 */
import { type AskedList, idFrom } from '@countersign/contract'
import { fitQuestions } from '@countersign/policy'
import { findList, keepList, takenBackIn } from '../asked-for/lists.ts'
import { type HeldRun, lockHeld } from '../store/run-row.ts'
import type { Store } from '../store/store.ts'
import { type TaskWords, wordsOfTask } from './task-so-far.ts'

/** Nothing comes back where it was cut off; a reader that fails says that nothing is known. */
export type ReadAskedFor = (said: readonly string[]) => Promise<AskedList | undefined>

export interface WishPorts {
  readonly store: Store
  readonly uuid: () => string
}

/** Says whether a list was made now. After a crash it is made again, unless it was kept. */
export async function listAskedFor(held: HeldRun, read: ReadAskedFor, ports: WishPorts): Promise<boolean> {
  let outcome = await listOnce(held, read, ports)
  // Once something was taken back it stays so: the second reading is of the words since.
  if (outcome === 'outdated') outcome = await listOnce(held, read, ports)
  return outcome === 'listed'
}

/** What was taken back while the words were read is not in a list that was read from all of them. */
async function listOnce(
  held: HeldRun,
  read: ReadAskedFor,
  { store, uuid }: WishPorts,
): Promise<'listed' | 'outdated' | 'none'> {
  const of = { session: held.session, run: held.id, inReader: false }
  const words = await store.read(held.operator, async (db) => {
    const said = await wordsOfTask(db, of)
    const { last } = said
    if (last === null || (await findList(db, held.id, last))) return undefined
    return { ...said, last, taken: await takenBackIn(db, held.session) }
  })
  if (!words) return 'none'
  const said = wordsSince(words)
  const wishes = await read(said)
  if (wishes === undefined) return 'none'
  const { value } = await store.transact(held.operator, async (unit) => {
    await lockHeld(unit, held)
    if ((await takenBackIn(unit.db, held.session)) !== words.taken) return 'outdated'
    const questions = fitQuestions(wishes.questions, said)
    await keepList(unit, held, { id: idFrom('ask', uuid()), saidTo: words.last, ...wishes, questions })
    return 'listed'
  })
  return value
}

/** What was taken back is not asked for again by words that were said before. */
function wordsSince({ earlier, now, taken }: TaskWords & { readonly taken: boolean }): readonly string[] {
  return (taken ? now.slice(-1) : [...earlier, ...now]).map(withoutFileNames)
}

/** A file that goes with a message has the name that a stranger may have given it. */
function withoutFileNames(text: string): string {
  return text.replaceAll(/attachments\/\S+/g, 'attachments/…')
}
