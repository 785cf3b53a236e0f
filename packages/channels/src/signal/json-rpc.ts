/**
 * Owns one connection to signal-cli: JSON-RPC, one object in a line. It knows of every call whether it can have been
 * heard. A line that is too long, or is no JSON, is skipped and harms no other.
 */
import { connect, type Socket } from 'node:net'
import { z } from 'zod'

export type CallOutcome =
  | { readonly kind: 'answered'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly code: number; readonly message: string; readonly data: unknown }
  /** No byte of it was written. */
  | { readonly kind: 'not-sent'; readonly problem: string }
  /** It may have been heard. */
  | { readonly kind: 'lost'; readonly problem: string }

export interface JsonRpc {
  call(method: string, params: Readonly<Record<string, unknown>>, patienceMs?: number): Promise<CallOutcome>
  /** Resolves with the reason. */
  readonly closed: Promise<string>
  close(): void
}

export interface JsonRpcParts {
  readonly host: string
  readonly port: number
  /** Ends the attempt to connect; a connection that there is ends by `close`. */
  readonly signal: AbortSignal
  readonly heard: (method: string, params: unknown) => void
}

const Line = z.union([
  z.object({
    id: z.string(),
    error: z.object({ code: z.number(), message: z.string().nullish(), data: z.unknown().optional() }),
  }),
  z.object({ id: z.string(), result: z.unknown() }).refine((line) => 'result' in line),
  z.object({ method: z.string(), params: z.unknown().optional() }),
])

/** A file of 25 MB in base64, and a little more. */
const longestLine = 40_000_000
const connectMs = 10_000
/** Signal's own servers may take their time. */
const answerMs = 90_000

/** Rejects where nobody answers there. */
export async function openJsonRpc({ host, port, signal, heard }: JsonRpcParts): Promise<JsonRpc> {
  const socket = await connected(host, port, signal)
  const waiting = new Map<string, (outcome: CallOutcome) => void>()
  const closed = Promise.withResolvers<string>()
  let next = 1
  let problem = 'signal-cli closed the connection.'
  let isOver = false

  socket.on('error', (error) => {
    problem = error.message
  })
  socket.on('close', () => {
    isOver = true
    for (const settle of waiting.values()) settle({ kind: 'lost', problem })
    waiting.clear()
    closed.resolve(problem)
  })
  socket.on('data', linesOf(longestLine, take))

  function take(text: string): void {
    const read = Line.safeParse(jsonOf(text))
    if (!read.success) return
    const line = read.data
    if ('method' in line) return heard(line.method, line.params)
    const settle = waiting.get(line.id)
    if ('error' in line) {
      const { code, message, data } = line.error
      settle?.({ kind: 'failed', code, message: message ?? '', data })
    } else settle?.({ kind: 'answered', result: line.result })
  }

  function call(
    method: string,
    params: Readonly<Record<string, unknown>>,
    patienceMs = answerMs,
  ): Promise<CallOutcome> {
    if (isOver || !socket.writable) return Promise.resolve({ kind: 'not-sent', problem })
    const id = String(next)
    next += 1
    const { promise, resolve } = Promise.withResolvers<CallOutcome>()
    const timer = setTimeout(
      () => settle({ kind: 'lost', problem: 'signal-cli did not answer.' }),
      patienceMs,
    )
    function settle(outcome: CallOutcome): void {
      clearTimeout(timer)
      waiting.delete(id)
      resolve(outcome)
    }
    waiting.set(id, settle)
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return promise
  }

  return { call, closed: closed.promise, close: () => void socket.destroy() }
}

function connected(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host, port, noDelay: true, keepAlive: true })
  // A signal given to the socket itself would end it whenever it comes.
  const until = AbortSignal.any([signal, AbortSignal.timeout(connectMs)])
  const giveUp = (): void => void socket.destroy(new Error('signal-cli could not be reached.'))
  if (until.aborted) giveUp()
  until.addEventListener('abort', giveUp)
  socket.once('error', (error) => {
    until.removeEventListener('abort', giveUp)
    reject(error)
  })
  socket.once('connect', () => {
    until.removeEventListener('abort', giveUp)
    resolve(socket)
  })
  return promise
}

/** Whole lines; the rest of one that is too long is thrown away. */
function linesOf(most: number, take: (line: string) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let size = 0
  let isSkipping = false

  return (piece) => {
    let from = 0
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      if (!isSkipping) take(Buffer.concat([...pieces, piece.subarray(from, end)]).toString('utf8'))
      pieces = []
      size = 0
      isSkipping = false
      from = end + 1
    }
    const rest = piece.subarray(from)
    size += rest.length
    if (size > most) {
      isSkipping = true
      pieces = []
    } else if (rest.length > 0) pieces.push(rest)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
