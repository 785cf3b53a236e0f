/** Owns one WebSocket that carries texts: bounded, watched by pings so that a dead line is noticed, ended exactly once. */
import { WebSocket } from 'ws'

export interface TextSocket {
  send(text: string): void
  /** Nothing is heard after it. */
  end(code?: number): void
}

export interface TextSocketOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** How large one message may be, in bytes. */
  readonly most: number
  /** Nothing heard for so long, and the line is dead. */
  readonly pulseMs: number
  readonly opened?: () => void
  readonly said: (text: string) => void
  /** Also when it could not be opened. */
  readonly ended: (problem: string, code: number) => void
}

const handshakeMs = 15_000
const farewellMs = 1_000

export function openTextSocket(options: TextSocketOptions): TextSocket {
  const socket = new WebSocket(options.url, {
    handshakeTimeout: handshakeMs,
    maxPayload: options.most,
    perMessageDeflate: false,
    followRedirects: false,
    headers: { ...options.headers },
  })
  let hasEnded = false
  let isAlive = true
  let problem = ''

  const pulse = setInterval(() => {
    if (!isAlive) socket.terminate()
    else if (socket.readyState === WebSocket.OPEN) {
      isAlive = false
      socket.ping()
    }
  }, options.pulseMs)

  function ended(code: number, reason: string): void {
    clearInterval(pulse)
    if (hasEnded) return
    hasEnded = true
    options.ended(problem === '' ? reason : problem, code)
  }

  const hear = () => {
    isAlive = true
  }
  socket.on('open', () => options.opened?.())
  socket.on('ping', hear)
  socket.on('pong', hear)
  socket.on('message', (data, isBinary) => {
    hear()
    // The answer to a close may come after other messages, which are for nobody any more.
    if (!hasEnded && !isBinary) options.said((data as Buffer).toString())
  })
  socket.on('error', (error) => {
    problem = error.message
  })
  socket.on('close', (code, reason) => ended(code, reason.toString() || `The connection ended (${code}).`))

  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    end(code = 1000) {
      ended(code, 'The connection was ended.')
      if (socket.readyState === WebSocket.CLOSED) return
      socket.close(code)
      // The other side may be gone.
      setTimeout(() => socket.terminate(), farewellMs).unref()
    },
  }
}
