/** `countersign why`: the chain from an effect back to a person, nearest first. */
import type { Why } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { clockTime } from '../output/time.ts'

export const why: Handler = async (context, [anything = '']) => {
  const found = await (await context.gateway()).client.why(anything)
  return done({ ...found }, whyText(found, context))
}

export function whyText(why: Why, context: Pick<Context, 'moment'>): string {
  if (why.chain.length === 0) return `Nothing is recorded about ${line(why.subject)}.`
  const rows = why.chain.map((link) => [
    link.ledger === null ? '' : `#${link.ledger}`,
    link.at === null ? '' : clockTime(link.at, context.moment()),
    link.what,
    `${line(link.sentence)}  ${line(link.id)}`,
  ])
  return `${line(why.subject)}\n${columns(rows)}`
}
