/**
 * Owns a daemon that speaks as signal-cli 0.13 does with `--receive-mode=manual`, written from its manual page
 * signal-cli-jsonrpc(5) and from the shapes of its JSON classes: one object in a line; what comes waits until somebody
 * subscribes and is told once; errors have its codes.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface Call {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export class DaemonError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

export interface DaemonParts {
  /** What the method gives, or a `DaemonError`; `lost`: it was done, and the answer is lost. */
  readonly answer: (call: Call) => unknown
  /** True, and the connection is lost before the call is read. */
  readonly losesBefore: (method: string) => boolean
  readonly accounts: readonly string[]
}

export interface Daemon {
  readonly port: number
  /** Hands it to whoever subscribed, or lets it wait. */
  deliver(account: string, envelope: unknown): void
  /** What waits because nobody subscribed. */
  readonly waiting: number
  /** To everybody, as it stands. */
  raw(text: string): void
  disconnect(): Promise<void>
  away(): Promise<void>
  back(): Promise<void>
}

interface Client {
  readonly socket: Socket
  readonly subscriptions: Map<number, string>
}

export async function openDaemon(parts: DaemonParts): Promise<Daemon> {
  const clients = new Set<Client>()
  const queue: { account: string; envelope: unknown }[] = []
  let nextSubscription = 0

  const server = createServer((socket) => {
    const client: Client = { socket, subscriptions: new Map() }
    clients.add(client)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => clients.delete(client))
    const lines = createInterface({ input: socket, crlfDelay: 0 })
    lines.on('line', (text) => hear(client, text))
    lines.on('error', () => undefined)
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo

  function hear(client: Client, text: string): void {
    const request = JSON.parse(text) as Call & { readonly id: string; readonly jsonrpc: string }
    const say = (answer: unknown) =>
      client.socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...(answer as object), id: request.id })}\n`)
    if (parts.losesBefore(request.method)) {
      client.socket.destroy()
      return
    }
    try {
      const result = act(client, request)
      if (result === 'lost') client.socket.destroy()
      else say({ result })
    } catch (error) {
      const known = error instanceof DaemonError ? error : new DaemonError(-32_603, String(error))
      say({ error: { code: known.code, message: known.message, data: known.data } })
    }
    pour()
  }

  function act(client: Client, { method, params }: Call): unknown {
    const account = String(params['account'])
    if (!parts.accounts.includes(account)) throw new DaemonError(-32_602, 'Specified account does not exist')
    if (method === 'subscribeReceive') {
      client.subscriptions.set(nextSubscription, account)
      nextSubscription += 1
      return nextSubscription - 1
    }
    if (method !== 'unsubscribeReceive') return parts.answer({ method, params })
    if (!client.subscriptions.delete(Number(params['subscription'])))
      throw new DaemonError(-1, 'Unknown subscription id')
    return {}
  }

  /** Hands out what waits. */
  function pour(): void {
    const open = [...clients].flatMap(({ socket, subscriptions }) =>
      [...subscriptions].map(([subscription, account]) => ({ socket, subscription, account })),
    )
    for (let index = 0; index < queue.length; ) {
      const one = queue[index]
      const to = open.filter(({ account, socket }) => account === one?.account && socket.writable)
      if (!one || to.length === 0) {
        index += 1
        continue
      }
      queue.splice(index, 1)
      for (const { socket, subscription } of to)
        socket.write(
          `${JSON.stringify({ jsonrpc: '2.0', method: 'receive', params: { subscription, result: one } })}\n`,
        )
    }
  }

  /** What was written goes out before the end. */
  async function disconnect(): Promise<void> {
    const all = [...clients]
    clients.clear()
    await Promise.all(
      all.map(({ socket, subscriptions }) => {
        subscriptions.clear()
        const gone = new Promise((done) => (socket.destroyed ? done(null) : socket.once('close', done)))
        socket.destroySoon()
        return gone
      }),
    )
  }

  return {
    port,
    deliver(account, envelope) {
      queue.push({ account, envelope })
      pour()
    },
    get waiting() {
      return queue.length
    },
    raw(text) {
      for (const { socket } of clients) socket.write(text)
    },
    disconnect,
    async away() {
      if (!server.listening) return
      const closed = new Promise((done) => server.close(done))
      await disconnect()
      await closed
    },
    back: () => listen(port),
  }
}
