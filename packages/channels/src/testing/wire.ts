/**
 * Owns a wire between an adapter and a real server, which the tests can cut, take away, and meddle with: what a server
 * does not do when it is told to.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Meddler {
  /** What the adapter sends. Undefined lets it pass. */
  out?(text: string, hands: Hands): string | undefined
  /** What the server sends. */
  in?(text: string, hands: Hands): string | undefined
}

export interface Hands {
  /** To the adapter, as if the server said it. */
  say(text: string): void
  cut(): void
}

export interface Wire {
  readonly port: number
  /** What is meddled with from now on; undefined for nothing. */
  meddle(meddler: Meddler | undefined): void
  cut(): Promise<void>
  /** Nobody listens there any more. */
  away(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

export async function openWire(target: number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let meddler: Meddler | undefined
  let server: Server | undefined

  function join(near: Socket): void {
    const far = connect(target, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    const hands: Hands = { say: (text) => near.write(text), cut: () => end(pair) }
    near.on('data', (bytes) => pass(bytes, far, meddler?.out?.(bytes.toString('latin1'), hands)))
    far.on('data', (bytes) => pass(bytes, near, meddler?.in?.(bytes.toString('latin1'), hands)))
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => end(pair))
      socket.on('close', () => end(pair))
    }
  }

  function end(pair: readonly [Socket, Socket]): void {
    pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }

  async function cut(): Promise<void> {
    const gone = [...pairs].flatMap((pair) =>
      pair.map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    )
    for (const pair of pairs) end(pair)
    await Promise.all(gone)
  }

  async function listen(port: number): Promise<number> {
    const opened = createServer(join)
    server = opened
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve))
    const address = opened.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  async function away(): Promise<void> {
    const last = server
    server = undefined
    const closed = last && new Promise((resolve) => last.close(resolve))
    await cut()
    await closed
  }

  const port = await listen(0)
  return {
    port,
    meddle: (by) => {
      meddler = by
    },
    cut,
    away,
    back: async () => void (await listen(port)),
    close: away,
  }
}

function pass(bytes: string | Buffer, to: Socket, changed: string | undefined): void {
  const rest = changed === undefined ? bytes : Buffer.from(changed, 'latin1')
  if (rest.length > 0 && !to.destroyed) to.write(rest)
}

/** A port that nobody has. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
