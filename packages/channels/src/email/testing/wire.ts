/** Owns the way between the adapter and a real server, which can be cut, and which can spoil one SMTP conversation. */
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

export interface Wire {
  readonly port: number
  cut(): void
  /** Nobody listens any more. */
  away(): Promise<void>
  back(): Promise<void>
}

/** What is done to a conversation, told what the client says; true where it must not go on to the server. */
export type Meddle = (said: string, client: Socket) => boolean
/** The same for what the server says. */
export interface Meddling {
  readonly client?: Meddle
  readonly server?: Meddle
}

export async function openWire(target: number, meddling: Meddling = {}): Promise<Wire> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const onward = createConnection({ host: '127.0.0.1', port: target })
    for (const socket of [client, onward]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        onward.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      if (!meddling.client?.(chunk.toString('latin1'), client)) onward.write(chunk)
    })
    onward.on('data', (chunk: Buffer) => {
      if (!meddling.server?.(chunk.toString('latin1'), client)) client.write(chunk)
    })
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    cut,
    async away() {
      const closed = new Promise((resolve) => server.close(resolve))
      cut()
      await closed
    },
    back: () => listen(port),
  }
}
