/** Owns a listener that nobody may reach, and counts who does. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

export interface Trap {
  readonly port: number
  /** What was said to it, a text for each connection. */
  readonly said: readonly string[]
  close(): Promise<void>
}

export async function openTrap(): Promise<Trap> {
  const said: string[] = []
  const server = createServer((socket) => {
    const at = said.push('') - 1
    socket.on('data', (chunk) => {
      said[at] += chunk.toString('latin1')
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nreached')
    })
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    said,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
