/** A web site on loopback for tests, a canary that nobody may reach, and browsers whose proxy may reach the site. */
import { createSocket } from 'node:dgram'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { type Label, operatorLabel } from '@countersign/contract'
import type { BrowserAction, BrowserResult, Failure } from '@countersign/tools'
import { type BrowserPool, type BrowserPoolLimits, createBrowserPool } from '../browser-pool.ts'

export interface TestSite {
  readonly origin: string
  readonly port: number
  readonly seen: IncomingMessage[]
  close(): Promise<void>
}

export async function openTestSite(listener: RequestListener): Promise<TestSite> {
  const seen: IncomingMessage[] = []
  const server: Server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Canary {
  readonly port: number
  /** Connections and datagrams that arrived. */
  touched(): number
  close(): Promise<void>
}

/** Listens on one port number for TCP and for UDP. */
export async function openCanary(): Promise<Canary> {
  let touched = 0
  const server = createServer((_request, response) => response.end('canary'))
  server.on('connection', () => {
    touched += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const socket = createSocket('udp4')
  socket.on('message', () => {
    touched += 1
  })
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve))
  return {
    port,
    touched: () => touched,
    async close() {
      socket.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface TestBrowsers {
  readonly pool: BrowserPool
  /** Acts as a permit would that names the page, and opens its host and others. */
  act(
    action: BrowserAction,
    more?: { session?: string; timeoutMs?: number; signal?: AbortSignal; also?: number[]; label?: Label },
  ): Promise<BrowserResult | Failure>
}

export function openTestBrowsers(
  ports: readonly number[],
  limits: Partial<BrowserPoolLimits> = {},
): TestBrowsers {
  const allowPrivate = ports.map((port) => ({ host: '127.0.0.1', port }))
  const pool = createBrowserPool({ folder: tmpdir(), policy: { ports: [], allowPrivate }, limits })
  return {
    pool,
    act(action, { session = 'ses_one', timeoutMs = 50_000, signal, also = [], label = operatorLabel } = {}) {
      const port = Number(URL.parse(action.url)?.port)
      const opens = [port, ...also].map((one) => ({ host: '127.0.0.1', port: one }))
      return pool.act({ session, action, opens, label }, timeoutMs, signal ?? new AbortController().signal)
    },
  }
}
