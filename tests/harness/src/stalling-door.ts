/** Owns a door before a server that stops passing words on at a moment that a test names, so that it can kill there. */
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

export interface StalledMoment {
  readonly from: 'client' | 'server'
  /** What the bytes hold that come. */
  readonly words: RegExp
  /** These words are passed on, and nothing of what the other side says to them. */
  readonly passes?: boolean
}

export interface StallingDoor {
  readonly port: number
  /** From that moment on nothing is passed on in the connection. */
  stallAt(moment: StalledMoment | null): void
  /** Resolves when the moment came, and where words are passed on, when the other side has answered. */
  reached(): Promise<void>
  close(): void
}

export async function openStallingDoor(target: number): Promise<StallingDoor> {
  let moment: StalledMoment | null = null
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
    let isStalled = false
    const pass = (from: 'client' | 'server', other: Socket) => (bytes: Buffer) => {
      if (isStalled) return arrived.resolve()
      if (moment?.from === from && moment.words.test(bytes.toString('latin1'))) {
        isStalled = true
        if (moment.passes !== true) return arrived.resolve()
      }
      other.write(bytes)
    }
    near.on('data', pass('client', far))
    far.on('data', pass('server', near))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    stallAt(next) {
      moment = next
      arrived = Promise.withResolvers<void>()
    },
    reached: () => arrived.promise,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
