/** `countersign grant`: what may run without asking, and the end of it. */
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe.ts'
import { clockTime } from '../output/time.ts'

export const list: Handler = async (context) => {
  const grants = await (await context.gateway()).client.grants()
  if (grants.length === 0) return done({ grants }, 'No grant: everything that policy asks about is asked.')
  const rows = grants.map((grant) => [
    grant.id,
    grant.state,
    `${grant.uses} of ${grant.maxUses}`,
    clockTime(grant.expiresAt, context.moment()),
    line(grant.sentence),
  ])
  return done({ grants }, columns([['Grant', 'State', 'Used', 'Ends', 'Allows'], ...rows]))
}

export const revoke: Handler = async (context, [id = '']) => {
  const { ledger } = await (await context.gateway()).client.revokeGrant(id)
  return done({ grant: id, ledger }, `Revoked ${line(id)}.${ledgerMark(ledger)}`)
}
