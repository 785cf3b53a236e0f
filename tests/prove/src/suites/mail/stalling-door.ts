/** Stands before a server, and stops passing words on when one comes that it waits for. */
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

export interface StallingDoor {
  readonly port: number
  /** From the first bytes on that hold this, nothing is passed on in that direction. */
  stallAt(wanted: { readonly from: 'client' | 'server'; readonly words: RegExp } | null): void
  reached(): Promise<void>
  close(): void
}

export async function openStallingDoor(target: number): Promise<StallingDoor> {
  let wanted: { readonly from: 'client' | 'server'; readonly words: RegExp } | null = null
  let arrived = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection({ host: '127.0.0.1', port: target })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    let stalled = false
    const pass = (from: 'client' | 'server', other: Socket) => (bytes: Buffer) => {
      if (wanted?.from === from && wanted.words.test(bytes.toString('latin1'))) {
        stalled = true
        arrived.resolve()
      }
      if (!stalled) other.write(bytes)
    }
    near.on('data', pass('client', far))
    far.on('data', pass('server', near))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stallAt(next) {
      wanted = next
      arrived = Promise.withResolvers<void>()
    },
    reached: () => arrived.promise,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
