/** `countersign pause` and `countersign resume`: pause and resume everything. */
import type { Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { ledgerMark } from '../output/receipt.ts'

export const pause: Handler = async (context) => {
  const { ledger } = await (await context.gateway()).client.pause()
  return done(
    { paused: true, ledger },
    `Paused. Nothing new runs until \`countersign resume\`.${ledgerMark(ledger)}`,
  )
}

export const resume: Handler = async (context) => {
  const { ledger } = await (await context.gateway()).client.resume()
  return done({ paused: false, ledger }, `Resumed.${ledgerMark(ledger)}`)
}
