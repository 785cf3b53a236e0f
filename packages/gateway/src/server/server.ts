/** Owns the listening port: HTTP and WebSocket on both addresses of loopback, under exact names. */
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Address } from '@countersign/assistant'
import type { DeviceId, OperatorId, Status } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { LedgerViews, Views } from '@countersign/views'
import { getRequestListener } from '@hono/node-server'
import type { Config } from '../config.ts'
import type { NodeGate } from '../nodes/node-gate.ts'
import { createApi } from './api.ts'
import { createRequestAuthenticator } from './auth.ts'
import { createLockout, type LockedOut } from './lockout.ts'
import { openLoopbackListeners } from './loopback-listeners.ts'
import { createPages } from './pages.ts'
import { createProver } from './proof.ts'
import { createRequestPlaces } from './request-place.ts'
import type { RequestSender } from './request-sender.ts'
import type { App } from './route.ts'
import type { SecretAdmin } from './secrets.ts'
import { createSockets, received } from './socket.ts'
import { refuseUpgrade } from './strangers.ts'
import type { ToolRoutes } from './tools.ts'

export interface Server {
  readonly url: string
  readonly port: number
  clients(): number
  /** What is known of a device since this process began. */
  presence(device: DeviceId): { readonly connections: number; readonly seenAt: Date | null }
  /** Ends every live connection of a device, at once. */
  drop(device: DeviceId): void
  close(): Promise<void>
}

export async function startServer(options: {
  kernel: Kernel
  operator: OperatorId
  views: Views
  ledger: LedgerViews
  port: number
  /** Whether the next free port will do where that one is taken. */
  anyNextPort: boolean
  /** Where the app is elsewhere than on this computer, and whose word counts for where a request came from. */
  reachedAt: Pick<Config, 'publicOrigins' | 'trustedProxies'>
  onLockout: (locked: LockedOut) => void
  version: string
  clock: () => Date
  /** Signs with the gateway's key. */
  sign: (text: string) => string
  tools: ToolRoutes
  secrets: SecretAdmin
  routes: readonly ((app: App) => void)[]
  /** Where nodes connect; left out where there are none. */
  nodes?: NodeGate
  address: Address
  /** The folder of the built web app; null where there is none. */
  pages: string | null
  status: (speaker: RequestSender, server: Pick<Server, 'url' | 'clients'>) => Promise<Status>
  onProblem: (error: unknown) => void
}): Promise<Server> {
  let port = options.port
  let openSince: Date | undefined
  const { publicOrigins, trustedProxies } = options.reachedAt
  const places = createRequestPlaces({ port: () => port, publicOrigins, trustedProxies })
  const lockout = createLockout({ clock: options.clock, tell: options.onLockout })
  const prover = createProver({
    gateway: options.kernel.gateway,
    sign: options.sign,
    port: () => port,
    publicOrigins,
  })
  const authenticator = createRequestAuthenticator({
    kernel: options.kernel,
    operator: options.operator,
    places,
    prover,
    clock: options.clock,
    openSince: () => openSince,
  })
  const sockets = createSockets({
    kernel: options.kernel,
    authenticator,
    prover,
    lockout,
    onProblem: options.onProblem,
    address: options.address,
    ledger: options.ledger,
  })
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!options.nodes?.owns(request.url ?? '')) return sockets.upgrade(request, socket, head)
    // Whoever hangs up in the middle of this would otherwise end the process: nobody else listens here yet.
    socket.on('error', options.onProblem)
    const place = authenticator.placeOf(received(request))
    if (place === undefined) return refuseUpgrade(socket, '403 Forbidden')
    options.nodes.upgrade({ request, socket, head }, place, lockout.failed)
  }
  const itself = { url: '', clients: sockets.count }
  const api = createApi({
    kernel: options.kernel,
    views: options.views,
    authenticator,
    prover,
    lockout,
    version: options.version,
    tools: options.tools,
    secrets: options.secrets,
    routes: options.routes,
    address: options.address,
    pages: createPages(options.pages),
    status: (speaker) => options.status(speaker, itself),
    onProblem: options.onProblem,
  })
  const answer = getRequestListener(api.fetch)
  const doors = await openLoopbackListeners(
    options.port,
    () =>
      createServer((request, response) => {
        answer(request, response).catch(options.onProblem)
      }).on('upgrade', upgrade),
    options.anyNextPort,
  )
  port = doors.port
  openSince = options.clock()
  itself.url = `http://127.0.0.1:${port}`

  return {
    url: itself.url,
    port,
    clients: sockets.count,
    presence: (device) => ({
      connections: sockets.countOf(device),
      seenAt: authenticator.seenAt(device) ?? null,
    }),
    drop: sockets.drop,
    async close() {
      await sockets.close()
      await doors.close()
    },
  }
}
