/** `countersign session asked` and `take-back`: what your words ask for beforehand, and the end of it. */
import type { AskedForView } from '@countersign/contract'
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'

export const asked: Handler = async (context, [session = '']) => {
  const lists = await (await context.gateway()).client.askedFor(session)
  if (lists.length === 0) return done({ lists }, 'Nothing was listed that your words ask for.')
  return done({ lists }, () => lists.map(listText).join('\n'))
}

/** All that still stand. */
export const takeBack: Handler = async (context, [session = '']) => {
  const { client } = await context.gateway()
  const standing = (await client.askedFor(session)).filter(({ takenBackAt }) => takenBackAt === null)
  const taken: { list: string; ledger: number }[] = []
  for (const { id } of standing) taken.push({ list: id, ledger: (await client.takeBack(id)).ledger })
  if (taken.length === 0) return done({ taken }, 'There is nothing to take back.')
  const marks = taken.map(({ ledger }) => ledgerMark(ledger)).join('')
  return done({ taken }, `Taken back. What your words asked for asks again.${marks}`)
}

function listText({ items, kinds, questions, takenBackAt }: AskedForView): string {
  const wishes = items.map(({ act, target, count }) => {
    const place = target === null ? '' : ` in ${line(target)}`
    return `${act.replaceAll('_', ' ')}${place}, at most ${count}`
  })
  const inLarge = kinds?.map((kind) => kind.replaceAll('_', ' ')) ?? []
  const said = wishes.length > 0 ? wishes : inLarge.length > 0 ? inLarge : ['nothing that changes something']
  const lookedUp = questions.length === 0 ? '' : `; would look up: ${questions.map(quoted).join(', ')}`
  // Before all that others wrote, so that none of it can be taken for the state.
  return `${takenBackAt === null ? 'You asked for' : 'Taken back'}: ${said.join('; ')}${lookedUp}`
}

function quoted(question: string): string {
  return `“${line(question)}”`
}
