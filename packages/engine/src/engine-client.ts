/**
 * The connection DBOS is given. It sends the same few statements over and over inside short transactions, so each is
 * planned once per connection and BEGIN travels with the statement after it. Refuses to end the process: a lost
 * connection is always the error of a statement, in words that DBOS retries.
 */
import pg from 'pg'

/** Give it to a pool as `Client`, together with `pipeline: true`. */
export class EngineClient extends pg.Client {
  readonly #names = new Map<string, string>()

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The pool takes its own listener away while a connection is in use, and a server that stops is heard twice.
    this.on('error', () => undefined)

    const connect = this.connect.bind(this) as unknown as Connect
    this.connect = ((callback?: Callback) =>
      callback ? connect(translating(callback)) : connect().catch(rethrow)) as unknown as typeof this.connect

    const send = this.query.bind(this) as Send
    this.query = ((query: unknown, values: unknown, callback?: Callback) => {
      const plain = typeof query === 'string'
      const named = plain && Array.isArray(values) && values.length > 0
      const statement = named ? { name: this.#nameOf(query), text: query } : query
      if (callback) return send(statement, values, translating(callback))
      if (typeof values === 'function') return send(statement, translating(values as Callback))
      const sent = send(statement, values).catch(rethrow)
      if (!plain || named || !query.startsWith('BEGIN')) return sent
      // A BEGIN fails only with its connection, and then the next statement rejects for the same reason.
      sent.catch(() => undefined)
      return Promise.resolve()
    }) as typeof this.query
  }

  /** Statements beyond the bound stay unnamed, so that generated ones cannot fill the server's memory. */
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= MAX_NAMED) return known
    const name = `engine_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

type Callback = (error: unknown, ...rest: unknown[]) => void
type Connect = (callback?: Callback) => Promise<void>
type Send = (query: unknown, values?: unknown, callback?: Callback) => Promise<unknown>

const MAX_NAMED = 50

/** How a server that is away looks on a socket file; DBOS waits out only the wording of TCP. */
const LOST = new Set(['EPIPE', 'ENOENT', 'ERR_STREAM_DESTROYED'])

function translated(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || !LOST.has(code)) return error
  return Object.assign(new Error('Connection terminated unexpectedly', { cause: error }), {
    code: 'ECONNRESET',
  })
}

function translating(callback: Callback): Callback {
  return (error, ...rest) => callback(error ? translated(error) : error, ...rest)
}

function rethrow(error: unknown): never {
  throw translated(error)
}
