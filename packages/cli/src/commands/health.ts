/** `countersign health`: whether the gateway is well, in one exit code. Made for scripts and containers. */
import { errorCatalogue, type Health } from '@countersign/contract'
import type { Handler } from '../context.ts'
import { done, failed } from '../output/answer.ts'
import { line } from '../output/safe.ts'
import { fits, healthForm } from '../quick-shape.ts'
import { quickly } from '../quickly.ts'

export const health: Handler = async (context) => {
  const quick = await quickly(context, '/v1/health')
  const found =
    quick !== undefined && fits(quick, healthForm)
      ? (quick as Health)
      : await (await context.gateway()).client.health()
  if (!found.ok) {
    const { exit } = errorCatalogue.internal
    const next = 'See what is wrong with `countersign doctor`.'
    return failed({ type: 'internal', message: 'The gateway answers, and is not well.', next, exit })
  }
  return done({ health: found }, context.flags.quiet ? '' : `ok  version ${line(found.version)}`)
}
