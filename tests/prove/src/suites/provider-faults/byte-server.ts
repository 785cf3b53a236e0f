/** A server on the loopback address that sends the bytes it is given and ends the way it is told, whatever was asked. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface Delivery {
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
  /** `stall` keeps the connection open and says nothing more. */
  readonly ends: 'clean' | 'reset' | 'stall'
  /** Sent in this many pieces. */
  readonly pieces: number
}

export interface ByteServer {
  /** The base address that gets this delivery, once for every request. */
  offer(delivery: Delivery): string
  /** Forgets it. */
  take(address: string): void
  close(): Promise<void>
}

export async function openByteServer(): Promise<ByteServer> {
  const offered = new Map<string, Delivery>()
  const sockets = new Set<Socket>()
  let count = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    let asked = ''
    socket.on('close', () => sockets.delete(socket))
    // A client that breaks off is part of the trial.
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      asked += chunk.toString('latin1')
      const head = asked.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/content-length: (\d+)/i.exec(asked)?.[1] ?? 0)
      if (asked.length < head + 4 + length) return
      const delivery = offered.get(/^POST \/(\d+)\//.exec(asked)?.[1] ?? '')
      asked = ''
      if (delivery) deliver(socket, delivery)
      else socket.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    offer(delivery) {
      count += 1
      offered.set(String(count), delivery)
      return `${url}/${count}`
    },
    take: (address) => void offered.delete(address.slice(url.length + 1)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function deliver(socket: Socket, { status, contentType, bytes, ends, pieces }: Delivery): void {
  const head = `HTTP/1.1 ${status} Recorded\r\ncontent-type: ${contentType}\r\nconnection: close\r\n\r\n`
  const size = Math.max(1, Math.ceil(bytes.length / pieces))
  socket.setNoDelay(true)
  socket.write(Buffer.concat([Buffer.from(head), bytes.subarray(0, size)]))
  for (let at = size; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size))
  if (ends === 'clean') socket.end()
  else if (ends === 'reset') socket.write('', () => socket.resetAndDestroy())
}
