/**
 * Owns the only way out of the pages of one site: an egress proxy of its own, which only this browser can use and which
 * is shut between calls.
 */
import { randomBytes } from 'node:crypto'
import type { AddressPolicy } from '../egress/egress.ts'
import { openEgressProxy, type ProxyCredential } from '../egress/proxy.ts'
import { createReach, type HostPort, type Reach } from './reach.ts'

export interface ProxyDoor {
  /** As Chromium is told it: `http://127.0.0.1:4711`. */
  readonly server: string
  readonly credential: ProxyCredential
  readonly reach: Reach
  /** Lets through to these places and no others, until it is shut. */
  open(places: readonly HostPort[]): void
  /** Ends every connection and lets nothing through. */
  shut(): void
  /** Why places that the call may reach were refused all the same since the last time, in sentences. */
  takeRefused(): readonly string[]
  close(): Promise<void>
}

export async function openProxyDoor(policy: AddressPolicy): Promise<ProxyDoor> {
  const reach = createReach()
  const refusals = new Set<string>()
  const credential = { username: 'browser', password: randomBytes(24).toString('base64url') }
  const proxy = await openEgressProxy({
    allow: (host, port) => reach.asks(host, port),
    policy,
    listen: { credential },
    onRefused(what) {
      const [, host = '', port = ''] = /^(.*?):(\d+): /.exec(what) ?? []
      const isReached = reach.allows({ host, port: Number(port) })
      if (isReached && refusals.size < mostRefusals) refusals.add(`Refused ${what}.`)
    },
    signal: new AbortController().signal,
  })
  return {
    server: `http://${proxy.address}`,
    credential,
    reach,
    open: (places) => reach.set(places),
    shut() {
      reach.set([])
      proxy.cut()
    },
    takeRefused() {
      const taken = [...refusals]
      refusals.clear()
      return taken
    },
    close: () => proxy.close(),
  }
}

const mostRefusals = 10
