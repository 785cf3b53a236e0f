/** `countersign approval extend` and `ask`: what can be done with a request that goes on waiting. */
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { clockTime, until } from '../output/time.ts'

const usualHours = 24
const mostHours = 168

export const extend: Handler = async (context, [ref = ''], options) => {
  const { hours = String(usualHours) } = options
  const wanted = typeof hours === 'string' && /^\d+$/.test(hours) ? Number(hours) : 0
  if (wanted < 1 || wanted > mostHours)
    return usage(`--hours is a number from 1 to ${mostHours}.`, 'approval extend')
  const extended = await (await context.gateway()).client.extendApproval(ref, wanted)
  const { code, expiresAt } = extended.approval
  const moment = context.moment()
  return done(
    { ...extended },
    `${line(code)} waits until ${clockTime(expiresAt, moment)} (${until(expiresAt, moment)}).${ledgerMark(extended.ledger)}`,
  )
}

export const ask: Handler = async (context, [ref = '', question = '']) => {
  if (question.trim() === '') return usage('The question is empty.', 'approval ask')
  const answered = await (await context.gateway()).client.askAboutApproval(ref, question)
  const { code, asked } = answered.approval
  const answer = asked.at(-1)?.answer ?? ''
  return done({ ...answered, answer }, () =>
    [
      'Agent says (unverified)',
      indent(lines(answer), '│ '),
      `${line(code)} is still pending.${ledgerMark(answered.ledger)}`,
    ].join('\n'),
  )
}
