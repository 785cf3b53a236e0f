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
const lastPort = 65_535

/** With `anyNext` a port that is taken leads to the one after it, as port 0 leads to another free one. */
export async function openLoopbackListeners(
  port: number,
  make: () => Server,
  anyNext = false,
): Promise<LoopbackListeners> {
  for (let attempt = 0; ; attempt += 1) {
    const wanted = port === 0 ? 0 : port + attempt
    const opened = await openBoth(wanted, make)
    if ('port' in opened) return opened
    const again = (port === 0 || anyNext) && attempt < mostAttempts && wanted < lastPort
    if (opened.cause.code !== 'EADDRINUSE' || !again) throw refusal(opened.cause, wanted)
  }
}

async function openBoth(
  port: number,
  make: () => Server,
): Promise<LoopbackListeners | { readonly cause: NodeJS.ErrnoException }> {
  const first = make()
  const given = await listen(first, port, '127.0.0.1')
  if (typeof given !== 'number') return { cause: given }
  const second = make()
  const other = await listen(second, given, '::1')
  if (typeof other === 'number')
    return { port: given, close: async () => void (await Promise.all([close(first), close(second)])) }
  // A host without IPv6 has nobody at that door either.
  if (other.code === 'EADDRNOTAVAIL' || other.code === 'EAFNOSUPPORT')
    return { port: given, close: () => close(first) }
  await close(first)
  return { cause: other }
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
  const reason = cause.code === 'EADDRINUSE' ? `Port ${port} is in use by another program.` : cause.message
  return new CountersignError('config_invalid', reason, {
    cause,
    next: 'Name another port: `countersign up --port 0` takes any free one.',
  })
}
