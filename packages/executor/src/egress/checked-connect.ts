/** Opens one connection to checked addresses. Hands over no socket whose other end is not the one that was dialled. */
import type { Socket } from 'node:net'
import { isSameAddress } from './address.ts'
import { type EgressFailed, type EgressRefused, messageOf } from './outcome.ts'

/** Settles when the socket is connected, with TLS done if there is any. */
export type Dial = (address: string, port: number) => Promise<Socket>

export type Connection =
  | { readonly kind: 'connected'; readonly socket: Socket; readonly address: string }
  | EgressRefused
  | EgressFailed

/** Tries the addresses in turn, four at most. They must come from `resolveChecked`. Never rejects. */
export async function checkedConnect(
  addresses: readonly string[],
  port: number,
  dial: Dial,
): Promise<Connection> {
  let message = 'no address'
  for (const address of addresses.slice(0, 4)) {
    let socket: Socket
    try {
      socket = await dial(address, port)
    } catch (error) {
      message = messageOf(error)
      continue
    }
    if (isConnectedTo(socket, address, port)) return { kind: 'connected', socket, address }
    const detail = `dialled ${address}, reached ${socket.remoteAddress ?? 'nothing'}`
    socket.destroy()
    return { kind: 'refused', reason: 'connected-address', detail }
  }
  return { kind: 'failed', reason: 'connection', message, sent: false }
}

function isConnectedTo(socket: Socket, address: string, port: number): boolean {
  const { remoteAddress, remotePort } = socket
  return remoteAddress !== undefined && isSameAddress(remoteAddress, address) && remotePort === port
}
