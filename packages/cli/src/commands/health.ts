/** `countersign health`: whether the gateway is well, in one exit code. Made for scripts and containers. */
import { errorCatalogue, type Health } from '@countersign/contract'
import type { Handler } from '../context.ts'
import { readFastStatus } from '../fast-status/fast-status.ts'
import { fitsShape, healthShape } from '../fast-status/reply-shape.ts'
import { done, failed } from '../output/answer.ts'
import { line } from '../output/safe-text.ts'

export const health: Handler = async (context) => {
  const quick = await readFastStatus(context, '/v1/health')
  const found =
    quick !== undefined && fitsShape(quick, healthShape)
      ? (quick as Health)
      : await (await context.gateway()).client.health()
  if (!found.ok) {
    const { exit } = errorCatalogue.internal
    const next = 'See what is wrong with `countersign doctor`.'
    return failed({ type: 'internal', message: 'The gateway responds, but is not healthy.', next, exit })
  }
  return done({ health: found }, context.flags.quiet ? '' : `ok  version ${line(found.version)}`)
}
