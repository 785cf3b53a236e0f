/** Places of this machine that nobody may reach. Each counts who comes, and answers like a careless service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface AddressCanary {
  readonly address: string
  readonly port: number
}

export interface AddressCanaries {
  readonly places: readonly AddressCanary[]
  readonly socketPath: string
  /** Reached only by a dialler that is led astray, so that only what is sent to it counts. */
  readonly astray: AddressCanary
  /** What was seen since the last look, in words. */
  look(): string[]
  close(): void
}

const addresses = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.66.7.8', '::1']

export async function openCanaries(): Promise<AddressCanaries> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-ssrf-'))
  const socketPath = join(folder, 'canary.sock')
  let seen: string[] = []
  const opened: { server: Server; sockets: Set<Socket> }[] = []
  const open = async (options: ListenOptions, onSocket: (socket: Socket) => void) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
      onSocket(socket)
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary'))
    })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options, resolve))
    opened.push({ server, sockets })
    return server
  }
  const places: AddressCanary[] = []
  for (const address of addresses) {
    const server = await open({ host: address, port: 0 }, () => seen.push(`a connection to ${address}`))
    places.push({ address, port: (server.address() as AddressInfo).port })
  }
  await open({ path: socketPath }, () => seen.push('a connection to the unix socket'))
  const strayed = await open({ host: '127.0.0.1', port: 0 }, (socket) =>
    socket.on('data', (bytes) => seen.push(`${bytes.length} bytes to the place astray`)),
  )
  return {
    places,
    socketPath,
    astray: { address: '127.0.0.1', port: (strayed.address() as AddressInfo).port },
    look() {
      const last = seen
      seen = []
      return last
    },
    close() {
      for (const { server, sockets } of opened) {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
