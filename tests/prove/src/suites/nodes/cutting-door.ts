/** Owns a door between a node and its gateway that cuts the connection at the frame of a permit, as a test says. */
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/**
 * `before`: nothing of the frame arrives. `in`: half of it does. `answer`: it arrives, and nothing comes back. `held`:
 * as `answer`, but the connection stands until somebody ends it.
 */
export type Cut = 'before' | 'in' | 'answer' | 'held'

export interface CuttingDoor {
  readonly address: string
  /** For the next frame with a permit, once. */
  cutAt(cut: Cut): void
  /** Resolves when it was cut, or held. */
  reached(): Promise<void>
  close(): void
}

const permitFrame = '"type":"execute"'

export async function openCuttingDoor(target: number): Promise<CuttingDoor> {
  let next: Cut | null = null
  let arrived = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection({ host: '127.0.0.1', port: target })
    let held: Cut | null = null
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    near.on('data', (bytes: Buffer) => {
      if (held === 'answer') return end()
      // The gateway answers under its own address only.
      if (held === null) far.write(renamed(bytes, port, target))
    })
    far.on('data', (bytes: Buffer) => {
      if (held !== null) return
      if (next === null || !bytes.includes(permitFrame)) return void near.write(bytes)
      const cut = next
      next = null
      held = cut
      if (cut === 'answer' || cut === 'held') near.write(bytes)
      if (cut === 'in') near.write(bytes.subarray(0, bytes.length / 2), end)
      if (cut === 'before') end()
      arrived.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    cutAt(cut) {
      next = cut
      arrived = Promise.withResolvers<void>()
    },
    reached: () => arrived.promise,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function renamed(bytes: Buffer, from: number, to: number): Buffer {
  const name = Buffer.from(`127.0.0.1:${from}`)
  const at = bytes.indexOf(name)
  if (at === -1) return bytes
  const rest = renamed(bytes.subarray(at + name.length), from, to)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(`127.0.0.1:${to}`), rest])
}
