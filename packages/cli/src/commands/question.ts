/** `countersign question`: what the agent asks, and the answer to it. */
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { ago } from '../output/time.ts'
import { shortId } from '../short-id.ts'

export const list: Handler = async (context) => {
  const all = await (await context.gateway()).client.questions()
  const questions = all.filter((question) => question.state === 'open')
  if (questions.length === 0) return done({ questions }, 'No question is open.')
  const rows = questions.map((question) => [
    shortId(question.id),
    ago(question.createdAt, context.moment()),
    `${line(question.text)}${question.choices.length > 0 ? `  [${question.choices.map(line).join(' / ')}]` : ''}`,
  ])
  return done({ questions }, columns([['Question', 'Asked', 'Text'], ...rows]))
}

export const answer: Handler = async (context, [id = '', text = '']) => {
  const { ledger } = await (await context.gateway()).client.answer(id, { answer: text })
  return done({ question: id, ledger }, `Answered.${ledgerMark(ledger)}`)
}
