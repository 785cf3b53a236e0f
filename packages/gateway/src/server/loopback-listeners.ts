/**
 * Owns the two doors of one port: 127.0.0.1 and ::1. A browser goes to `localhost`, which may be either, so whoever had
 * the other door would be our page. Refuses to open with one of them in somebody else's hands.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CountersignError } from '@countersign/contract'

export interface LoopbackListeners {
  readonly port: number
  close(): Promise<void>
}

/** Any port is taken only if it is free at both. */
const mostAttempts = 20

export async function openLoopbackListeners(port: number, make: () => Server): Promise<LoopbackListeners> {
  for (let attempt = 1; ; attempt += 1) {
    const first = make()
    const given = await listen(first, port, '127.0.0.1')
    if (typeof given !== 'number') throw refusal(given, port)
    const second = make()
    const other = await listen(second, given, '::1')
    if (typeof other === 'number')
      return { port: given, close: async () => void (await Promise.all([close(first), close(second)])) }
    // A host without IPv6 has nobody at that door either.
    if (other.code === 'EADDRNOTAVAIL' || other.code === 'EAFNOSUPPORT')
      return { port: given, close: () => close(first) }
    await close(first)
    if (port !== 0 || other.code !== 'EADDRINUSE' || attempt >= mostAttempts) throw refusal(other, given)
  }
}

function listen(server: Server, port: number, host: string): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => {
      server.off('error', resolve)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((closed) => server.close(() => closed()))
}

function refusal(cause: NodeJS.ErrnoException, port: number): CountersignError {
  const reason =
    cause.code === 'EADDRINUSE'
      ? `Port ${port} is in use. Choose another with --port; 0 takes any free port.`
      : cause.message
  return new CountersignError('config_invalid', reason, { cause })
}
