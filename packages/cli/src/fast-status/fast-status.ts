/** Connects the short way with a command: the value it read, a failure where nobody listens, or nothing. */
import { CountersignError } from '@countersign/contract'
import type { gatewayRoutes } from '@countersign/contract/routes'
import type { Context } from '../context.ts'
import { readSigned } from './read-signed.ts'

/** By type only: the short way is short because it loads no shapes. */
type FastPath = (typeof gatewayRoutes)['health' | 'status']['path']

export async function readFastStatus(context: Context, path: FastPath): Promise<unknown> {
  const { host, flags } = context
  const read = await readSigned(path, {
    paths: await context.paths(),
    url: flags.url ?? host.environment.url,
    platform: host.platform,
    now: host.clock,
  })
  switch (read.kind) {
    case 'read':
      context.detail(`gateway ${read.url}`)
      return read.value
    case 'nobody':
      throw new CountersignError(
        'gateway_unreachable',
        read.url === undefined ? 'No gateway is running on this host.' : `No gateway answers at ${read.url}.`,
      )
    case 'unusual':
      return undefined
  }
}
