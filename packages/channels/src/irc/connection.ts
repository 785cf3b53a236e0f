/** Owns the bytes between us and one IRC server: lines in and out, in order, none too long. It is over when it is lost. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type IrcLine, readIrcLine } from './line.ts'
import type { IrcSettings } from './manifest.ts'

export interface IrcConnection {
  /** All in one piece, so that they arrive together. False where it is lost already. */
  write(lines: readonly string[]): boolean
  /** The next line; undefined when it is over. For one reader. */
  next(): Promise<IrcLine | undefined>
  /** Why it is over, or what was said last. */
  readonly problem: string
  /** Takes leave and closes. */
  end(): Promise<void>
  destroy(problem: string): void
}

/** Tags and a line, with room to spare. */
const longestLine = 16_384
/** What waits to be read before no more is taken from the server. */
const mostWaiting = 1_000
const connectMs = 20_000
const quietMs = 90_000
const leaveMs = 1_000

/** Rejects where the server cannot be reached. */
export async function connectIrc(settings: IrcSettings, signal: AbortSignal): Promise<IrcConnection> {
  const socket = await openSocket(settings, signal)
  const state: ConnectionState = {
    lines: [],
    wake: undefined,
    isOver: false,
    problem: 'The connection was lost.',
  }
  listen(socket, state)
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      state.isOver = true
      state.wake?.()
      resolve()
    })
  })

  async function end(): Promise<void> {
    if (!socket.writableEnded && !socket.destroyed) socket.end('QUIT\r\n')
    const timer = setTimeout(() => socket.destroy(), leaveMs)
    await closed
    clearTimeout(timer)
  }

  const leave = () => void end()
  signal.addEventListener('abort', leave, { once: true })
  void closed.then(() => signal.removeEventListener('abort', leave))
  if (signal.aborted) leave()
  return {
    write(some) {
      if (state.isOver || socket.destroyed || socket.writableEnded) return false
      socket.write(some.map((line) => `${line}\r\n`).join(''))
      return true
    },
    async next() {
      while (state.lines.length === 0 && !state.isOver) {
        const { promise, resolve } = Promise.withResolvers<void>()
        state.wake = resolve
        await promise
      }
      if (state.lines.length < mostWaiting / 2 && socket.isPaused()) socket.resume()
      return state.lines.shift()
    },
    get problem() {
      return state.problem
    },
    end,
    destroy(why) {
      state.problem = why
      socket.destroy()
    },
  }
}

interface ConnectionState {
  readonly lines: IrcLine[]
  wake: (() => void) | undefined
  isOver: boolean
  problem: string
}

function listen(socket: Socket, state: ConnectionState): void {
  let isAsked = false
  const split = createSplitter((text) => {
    const line = readIrcLine(text)
    if (!line) return
    if (line.command === 'ERROR') state.problem = `The server said: ${line.params.at(-1) ?? ''}`.slice(0, 300)
    if (line.command === 'PING') socket.write(`PONG :${line.params.at(-1) ?? ''}\r\n`)
    else state.lines.push(line)
    if (state.lines.length > mostWaiting) socket.pause()
    state.wake?.()
  })
  socket.on('data', (bytes: Buffer) => {
    isAsked = false
    split(bytes)
  })
  socket.on('error', (error) => {
    state.problem = error.message
  })
  // A server that is gone without a word is noticed by its silence.
  socket.setTimeout(quietMs)
  socket.on('timeout', () => {
    if (isAsked) socket.destroy(new Error('The server says nothing any more.'))
    isAsked = true
    socket.write('PING :still-there\r\n')
  })
}

async function openSocket({ host, port, tls }: IrcSettings, signal: AbortSignal): Promise<Socket> {
  const socket = tls
    ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
    : connectTcp({ host, port })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = () => socket.destroy(new Error('The channel is ending.'))
  const timer = setTimeout(() => socket.destroy(new Error(`${host} does not answer.`)), connectMs)
  const closed = () => reject(new Error(`${host} closed the connection.`))
  socket.once(tls ? 'secureConnect' : 'connect', resolve)
  socket.on('error', reject)
  socket.once('close', closed)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await promise
    socket.setNoDelay(true)
    socket.off('close', closed)
    return socket
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Cuts bytes into lines. A line that never ends is dropped, and does not fill the memory. */
function createSplitter(hear: (line: string) => void): (bytes: Buffer) => void {
  let begun: Buffer = Buffer.alloc(0)
  let isDropping = false
  return (bytes) => {
    let rest = bytes
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = Buffer.concat([begun, rest.subarray(0, end)])
      if (!isDropping && line.length <= longestLine) hear(textOf(line).replace(/\r$/, ''))
      isDropping = false
      begun = Buffer.alloc(0)
      rest = rest.subarray(end + 1)
    }
    begun = Buffer.concat([begun, rest])
    if (begun.length > longestLine) {
      isDropping = true
      begun = Buffer.alloc(0)
    }
  }
}

/** Old programs still write in the letters of Western Europe. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
