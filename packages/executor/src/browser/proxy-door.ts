/** Owns the only way out of a session's page: an egress proxy of its own, on a port of its own. */
import type { AddressPolicy } from '../egress/egress.ts'
import { openEgressProxy } from '../egress/proxy.ts'
import type { Reach } from './reach.ts'

export interface ProxyDoor {
  /** As Chromium is told it: `http://127.0.0.1:4711`. */
  readonly server: string
  /** Why places that the session may reach were refused all the same since the last time, in sentences. */
  takeRefused(): readonly string[]
  close(): Promise<void>
}

export async function openProxyDoor(reach: Reach, policy: AddressPolicy): Promise<ProxyDoor> {
  const refusals = new Set<string>()
  const proxy = await openEgressProxy({
    allow: (host, port) => reach.asks(host, port),
    policy,
    listen: { port: 0 },
    onRefused(what) {
      const [, host = '', port = ''] = /^(.*?):(\d+): /.exec(what) ?? []
      const isReached = reach.allows({ host, port: Number(port) })
      if (isReached && refusals.size < mostRefusals) refusals.add(`Refused ${what}.`)
    },
    signal: new AbortController().signal,
  })
  return {
    server: `http://${proxy.address}`,
    takeRefused() {
      const taken = [...refusals]
      refusals.clear()
      return taken
    },
    close: () => proxy.close(),
  }
}

const mostRefusals = 10
