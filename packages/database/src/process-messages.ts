/**
 * Owns the messages between gateway processes on one database, over LISTEN and NOTIFY. They only wake: what they
 * speak of is already committed. They are sent outside transactions, gathered, because a NOTIFY inside one makes
 * all commits wait for each other.
 */
import pg from 'pg'

/** A process says that it is there; a new one is answered. */
interface Here {
  readonly kind: 'here'
  readonly fresh: boolean
}

export interface ProcessMessages<Message> {
  tell(message: Message): void
  /** Hears what other processes tell. */
  hear(listener: (message: Message) => void): void
  close(): Promise<void>
}

const channel = 'countersign'
const longestPayload = 7_500
/** A process that was heard this lately may be listening; to nobody, nothing is said. */
const companyMs = 60_000
const heartbeatMs = 20_000

export async function openProcessMessages<Message extends { readonly kind: string }>(options: {
  connection: pg.PoolConfig
  process: string
  onProblem: (error: unknown) => void
}): Promise<ProcessMessages<Message>> {
  const listeners = new Set<(message: Message) => void>()
  let waiting: (Message | Here)[] = []
  let timer: NodeJS.Timeout | undefined
  let sending = Promise.resolve()
  let closed = false
  let heardAt = Number.NEGATIVE_INFINITY
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client(options.connection)
    next.on('notification', ({ payload = '' }) => reporting(() => receive(payload), options.onProblem))
    next.on('error', lost)
    await next.connect()
    await next.query(`listen ${channel}`)
    return next
  }

  function lost(error: unknown): void {
    if (closed) return
    options.onProblem(error)
    setTimeout(() => {
      if (!closed)
        connect().then((next) => {
          client = next
        }, lost)
    }, 500).unref()
  }

  function receive(payload: string): void {
    const [from, ...messages] = JSON.parse(payload) as [string, ...(Message | Here)[]]
    if (from === options.process) return
    heardAt = Date.now()
    for (const message of messages) {
      if (isHere(message)) {
        if (message.fresh) say({ kind: 'here', fresh: false })
      } else for (const listener of listeners) listener(message)
    }
  }

  async function sendAll(messages: readonly (Message | Here)[]): Promise<void> {
    for (const payload of payloadsOf(options.process, messages)) {
      await client.query('select pg_notify($1, $2)', [channel, payload])
    }
  }

  function flush(): void {
    timer = undefined
    const messages = waiting
    waiting = []
    sending = sending.then(() => sendAll(messages)).catch(options.onProblem)
  }

  function say(message: Message | Here): void {
    waiting.push(message)
    timer ??= setTimeout(flush, 5)
  }

  const heartbeat = setInterval(() => say({ kind: 'here', fresh: false }), heartbeatMs)
  heartbeat.unref()
  await sendAll([{ kind: 'here', fresh: true }])

  return {
    tell(message) {
      if (!closed && Date.now() - heardAt < companyMs) say(message)
    },
    hear: (listener) => listeners.add(listener),
    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(heartbeat)
      await sending
      await client.end()
    },
  }
}

/** Whoever can speak on the channel can say anything, and ends no process by it. */
function reporting(work: () => void, onProblem: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    onProblem(error)
  }
}

function isHere(message: { readonly kind: string }): message is Here {
  return message.kind === 'here'
}

function payloadsOf(process: string, messages: readonly unknown[]): string[] {
  const payloads: string[] = []
  let current: unknown[] = []
  for (const message of messages) {
    const grown = JSON.stringify([process, ...current, message])
    if (Buffer.byteLength(grown) > longestPayload && current.length > 0) {
      payloads.push(JSON.stringify([process, ...current]))
      current = []
    }
    if (Buffer.byteLength(JSON.stringify([process, message])) <= longestPayload) current.push(message)
  }
  if (current.length > 0) payloads.push(JSON.stringify([process, ...current]))
  return payloads
}
