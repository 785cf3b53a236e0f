/** Owns a door before a server that keeps back what it is told to keep back, so that a test can kill in between. */
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'

export interface StallingDoor {
  readonly port: number
  /** From now on a command of this name is not passed on. */
  stallAt(command: string | null): void
  /** Resolves when such a command came. */
  reached(): Promise<void>
  close(): void
}

export async function openStallingDoor(target: number): Promise<StallingDoor> {
  let stall: string | null = null
  let arrived = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = createConnection({ host: '127.0.0.1', port: target })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => [near, far].forEach((each) => each.destroy()))
    }
    far.pipe(near)
    near.on('data', (bytes: Buffer) => {
      if (stall !== null && bytes.toString('latin1').includes(` ${stall} `)) return arrived.resolve()
      far.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stallAt(command) {
      stall = command
      arrived = Promise.withResolvers<void>()
    },
    reached: () => arrived.promise,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
