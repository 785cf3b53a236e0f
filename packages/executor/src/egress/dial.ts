/** Owns a raw connection to a checked place, for what is passed through and not read. */
import { connect, type Socket } from 'node:net'
import { type Connection, checkedConnect } from './checked-connect.ts'
import { messageOf } from './outcome.ts'
import {
  type AddressPolicy,
  type Destination,
  type Lookup,
  resolveChecked,
  systemLookup,
} from './resolve-checked.ts'

export interface DialOptions {
  readonly policy: AddressPolicy
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly lookup?: Lookup
  readonly connect?: (address: string, port: number) => Socket
}

/** Never rejects. */
export async function dialChecked(target: Destination, options: DialOptions): Promise<Connection> {
  const { policy, timeoutMs, lookup = systemLookup, connect: open = openSocket } = options
  const stop = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)])
  try {
    const checked = await resolveChecked(target, policy, lookup, stop)
    if (checked.kind !== 'checked') return checked
    return await checkedConnect(checked.addresses, target.port, (address, port) =>
      connected(open(address, port), stop),
    )
  } catch (error) {
    return { kind: 'failed', reason: 'connection', message: messageOf(error), sent: false }
  }
}

/** Half open, since one side of a tunnel may end while the other still has something to say. */
function openSocket(host: string, port: number): Socket {
  return connect({ host, port, allowHalfOpen: true })
}

function connected(socket: Socket, stop: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = (problem: Error | null): void => {
      stop.removeEventListener('abort', onAbort)
      if (problem === null) {
        resolve(socket)
        return
      }
      socket.destroy()
      reject(problem)
    }
    const onAbort = (): void => settle(new Error('No connection in time.'))
    stop.addEventListener('abort', onAbort, { once: true })
    // Stays for as long as the socket: whoever takes it hears of its end by its close.
    socket.once('connect', () => settle(null)).on('error', settle)
    if (stop.aborted) onAbort()
  })
}
