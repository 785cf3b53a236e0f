/**
 * Owns the way to a gateway: which one, whether it is there, and the device that speaks. Never makes a key: a host
 * without one is told how to get it. Refuses folders that another user could have prepared.
 */

import { existsSync } from 'node:fs'
import { connect as open } from 'node:net'
import { dirname } from 'node:path'
import { CountersignError } from '@countersign/contract'
import {
  type Client,
  type Connection,
  type ConnectOptions,
  connect,
  createClient,
} from '@countersign/contract/client'
import {
  fileSigner,
  type HomePaths,
  type HostIdentity,
  nodeTransport,
  readKey,
  readTrust,
  requireOwnFolder,
} from '@countersign/contract/node'
import { liveLeases } from './leases.ts'
import { type ApprovingHost, ownNodes } from './own-nodes.ts'

export interface Gateway {
  readonly identity: ApprovingHost
  /** Where the gateway was found last: it proves that it is there with every answer. */
  readonly url: string
  /** Speaks to where the gateway was found last. */
  readonly client: Client
  /** Finds the gateway anew each time: after a restart it may stand on another port. */
  connect(options: Pick<ConnectOptions, 'since' | 'onFrame'>): Promise<Connection>
}

export interface GatewayOptions {
  readonly paths: HomePaths
  /** Named by the operator; otherwise the leases of this host are asked. */
  readonly url: string | undefined
  readonly WebSocket?: typeof WebSocket | undefined
  /** Told where the gateway was found, each time it is looked for. */
  readonly onFound?: ((url: string) => void) | undefined
}

const reachMs = 300

export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  let url = await reachableUrl(options)
  options.onFound?.(url)
  const host = readIdentity(options.paths)
  const identity = { ...host, nodes: ownNodes(options.paths.devices, host) }
  const signer = fileSigner(identity)
  let client = createClient({ url, signer, fetch: nodeTransport })
  return {
    identity,
    get url() {
      return url
    },
    get client() {
      return client
    },
    async connect({ since, onFrame }) {
      const current = await reachableUrl(options)
      options.onFound?.(current)
      if (current !== url) client = createClient({ url: current, signer, fetch: nodeTransport })
      url = current
      const socket = options.WebSocket ? { WebSocket: options.WebSocket } : {}
      return connect({ url, signer, since, onFrame, ...socket })
    },
  }
}

/** The first address at which something listens. Fails at once when nothing does; it never tries twice. */
async function reachableUrl(options: Pick<GatewayOptions, 'paths' | 'url'>): Promise<string> {
  if (options.url !== undefined && !/^https?:$/.test(URL.parse(options.url)?.protocol ?? '')) {
    throw new CountersignError('usage', `${options.url} is not an http address.`)
  }
  const candidates =
    options.url === undefined ? liveLeases(options.paths).map((lease) => lease.url) : [options.url]
  for (const url of candidates) if (await listens(url)) return url
  const first = candidates[0]
  throw new CountersignError(
    'gateway_unreachable',
    first === undefined ? 'No gateway is running on this host.' : `No gateway answers at ${first}.`,
  )
}

/** The identity of this device, read only. */
export function readIdentity(paths: HomePaths): HostIdentity {
  if (!existsSync(paths.deviceKey)) {
    throw new CountersignError('not_authenticated', `This host has no device key at ${paths.deviceKey}.`)
  }
  for (const file of [paths.trust, paths.deviceKey]) requireOwnFolder(dirname(file))
  const trust = readTrust(paths.trust)
  const keys = readKey(paths.deviceKey)
  const device = trust.devices.find((entry) => entry.key === keys.publicKey)
  if (!device) {
    throw new CountersignError(
      'not_authenticated',
      `The device key ${paths.deviceKey} is not in the trust file.`,
    )
  }
  if (device.revokedAt !== null) {
    throw new CountersignError(
      'not_authenticated',
      `The device ${device.name} was revoked at ${device.revokedAt}.`,
    )
  }
  return { trust, device: { id: device.id, keys } }
}

function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise((resolve) => {
    const socket = open({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(reachMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
