/** `countersign approval held`, `let-ask` and `dismiss`: what was not done because nobody asked for it. */
import type { UnaskedCall, UnaskedView } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'

export const held: Handler = async (context) => {
  const rows = await (await context.gateway()).client.unasked()
  if (rows.length === 0) return done({ rows }, 'Nothing was held.')
  return done({ rows }, () => rows.map((row) => rowText(row, context)).join('\n\n'))
}

/** Proposes it again, to the byte. It asks; nothing runs by this. */
export const letAsk: Handler = async (context, [call = '']) => {
  const { client } = await context.gateway()
  const found = (await client.unasked()).flatMap((row) => row.calls.map((one) => ({ row, one })))
  const [match, ...others] = found.filter(({ one }) => one.call === call || one.call.endsWith(call))
  if (call === '' || match === undefined || others.length > 0)
    return usage('Name one call of `countersign approval held`.', 'approval let-ask')
  const asked = await client.letAsk(match.row.id, match.one.call)
  const next = 'See it with `countersign approval list`.'
  return done(asked, `It asks now, in ${asked.run}. ${next}${ledgerMark(asked.ledger)}`)
}

export const dismiss: Handler = async (context, [id = '']) => {
  const { client } = await context.gateway()
  const { ledger } = await client.dismissUnasked(id)
  return done({ row: id, ledger }, `Dismissed. Nothing of it was done.${ledgerMark(ledger)}`)
}

/** One line for all of them; null where nothing was held. */
export async function heldLine(context: Context): Promise<string | null> {
  const rows = await (await context.gateway()).client.unasked()
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  return count === 0 ? null : `${countText(count)}: countersign approval held`
}

function countText(count: number): string {
  return count === 1
    ? '1 thing was not done that nobody asked for'
    : `${count} things were not done that nobody asked for`
}

function rowText({ id, session, count, calls }: UnaskedView, context: Context): string {
  const more = count - calls.length
  return [
    `${countText(count)}, in ${session}`,
    ...calls.map((call) => callText(call, context)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  Let one ask: countersign approval let-ask <call>. Put it away: countersign approval dismiss ${id}`,
  ].join('\n')
}

function callText({ call, tool, headline, tier, reason }: UnaskedCall, { paint }: Context): string {
  return `  ${call}  ${tierLabel(tier, paint)}  ${line(tool)}: ${line(headline)}\n    ${line(reason)}`
}
