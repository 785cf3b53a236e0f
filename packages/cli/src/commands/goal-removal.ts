/** Takes a step, a note or a learning off a goal, or gives a note or a learning other words, by its id or by the number under which `goal show` lists it. */
import type { Client } from '@countersign/contract/client'
import type { OptionValues } from '../context.ts'
import { line } from '../output/safe-text.ts'
import { shortId } from '../short-id.ts'

interface Part {
  readonly noun: 'step' | 'note' | 'learning'
  readonly option: 'removeStep' | 'removeNote' | 'removeLearning'
  readonly remove: (client: Client, goal: string, part: string) => Promise<{ readonly ledger: number }>
}

interface Changed {
  readonly words: readonly string[]
  readonly ledger: number
}

const parts: readonly Part[] = [
  { noun: 'step', option: 'removeStep', remove: (client, goal, id) => client.removeGoalStep(goal, id) },
  { noun: 'note', option: 'removeNote', remove: (client, goal, id) => client.removeGoalNote(goal, id) },
  {
    noun: 'learning',
    option: 'removeLearning',
    remove: (client, goal, id) => client.removeGoalLearning(goal, id),
  },
]

/** A sentence where nothing is meant; then that part and those after it are as they were. */
export async function removeParts(
  client: Client,
  goal: string,
  options: OptionValues,
): Promise<Changed | string> {
  const words: string[] = []
  let ledger = 0
  for (const { noun, option, remove } of parts) {
    const ref = options[option]
    if (typeof ref !== 'string') continue
    const { card, steps } = await client.goal(goal)
    // Notes and learnings are listed newest first.
    const { notes, learnings } = card.goal
    const listed = { step: steps, note: notes.toReversed(), learning: learnings.toReversed() }[noun]
    const found = listed.find(isMeant(ref))
    if (!found) return noSuch(noun, ref, goal)
    ledger = (await remove(client, goal, found.id)).ledger
    words.push(`Removed the ${noun} “${line('title' in found ? found.title : found.text)}”.`)
  }
  return { words, ledger }
}

const edits = [
  {
    noun: 'note',
    option: 'editNote',
    list: 'notes',
    set: (client: Client, goal: string, id: string, text: string) => client.setGoalNote(goal, id, { text }),
  },
  {
    noun: 'learning',
    option: 'editLearning',
    list: 'learnings',
    set: (client: Client, goal: string, id: string, text: string) =>
      client.setGoalLearning(goal, id, { text }),
  },
] as const

/** A sentence where nothing is meant. */
export async function editEntries(
  client: Client,
  goal: string,
  options: OptionValues,
): Promise<Changed | string> {
  const words: string[] = []
  let ledger = 0
  for (const { noun, option, list, set } of edits) {
    const [ref, text] = [options[option], options[noun]]
    if (typeof ref !== 'string') continue
    if (typeof text !== 'string') return `Give the new words with --${noun}.`
    const { card } = await client.goal(goal)
    const found = card.goal[list].toReversed().find(isMeant(ref))
    if (!found) return noSuch(noun, ref, goal)
    ledger = (await set(client, goal, found.id, text)).ledger
    words.push(`Changed the ${noun}.`)
  }
  return { words, ledger }
}

const isMeant =
  (ref: string) =>
  ({ id }: { readonly id: string }, at: number): boolean =>
    id === ref || String(at + 1) === ref

function noSuch(noun: Part['noun'], ref: string, goal: string): string {
  return `There is no ${noun} ${line(ref)}; \`countersign goal show ${shortId(goal)}\` numbers them.`
}
