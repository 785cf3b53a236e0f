/** Owns the bytes between us and one XMPP server: a stream of elements over TCP, made private by TLS. It is over when it is lost. */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createXmlParser } from './parser.ts'
import type { Markup, XmlElement } from './xml.ts'

export interface StreamAddress {
  readonly host: string
  readonly port: number
  /** Whose certificate it must be, however we came there. */
  readonly domain: string
  readonly isTlsAtOnce: boolean
}

export interface XmppStream {
  /** Begins anew: after the connection, TLS and the password. */
  open(): void
  write(markup: Markup): boolean
  /** The next element; undefined when it is over. For one reader. */
  next(): Promise<XmlElement | undefined>
  startTls(): Promise<void>
  readonly isSecure: boolean
  readonly problem: string
  end(): Promise<void>
  destroy(problem: string): void
}

const connectMs = 20_000
const leaveMs = 1_000
/** What waits to be read before no more is taken from the server. */
const mostWaiting = 500

export async function connectStream(address: StreamAddress, signal: AbortSignal): Promise<XmppStream> {
  const { host, port, domain, isTlsAtOnce } = address
  const state: StreamState = {
    socket: isTlsAtOnce
      ? connectTls({ host, port, servername: domain, ALPNProtocols: ['xmpp-client'] })
      : connectTcp({ host, port }),
    signal,
    elements: [],
    wake: () => undefined,
    feed: () => undefined,
    isOver: false,
    problem: 'The connection was lost.',
  }
  await ready(state.socket, isTlsAtOnce ? 'secureConnect' : 'connect', signal)
  attach(state, state.socket)
  return streamOf(state, domain, isTlsAtOnce)
}

interface StreamState {
  socket: Socket
  readonly signal: AbortSignal
  elements: XmlElement[]
  wake: () => void
  feed: (text: string) => void
  isOver: boolean
  problem: string
}

function streamOf(state: StreamState, domain: string, isTlsAtOnce: boolean): XmppStream {
  let isSecure = isTlsAtOnce
  const end = async () => {
    const { socket } = state
    if (!socket.writableEnded && !socket.destroyed) socket.end('</stream:stream>')
    const timer = setTimeout(() => socket.destroy(), leaveMs)
    while (!state.isOver) await awoken(state)
    clearTimeout(timer)
    state.signal.removeEventListener('abort', leave)
  }
  const leave = () => void end()
  state.signal.addEventListener('abort', leave, { once: true })
  return {
    open() {
      state.feed = createXmlParser({
        element: (element) => {
          state.elements.push(element)
          if (state.elements.length > mostWaiting) state.socket.pause()
          state.wake()
        },
        end: () => void state.socket.end(),
      })
      state.socket.write(header(domain))
    },
    write({ markup }) {
      if (state.isOver || state.socket.destroyed || state.socket.writableEnded) return false
      state.socket.write(markup)
      return true
    },
    async next() {
      while (state.elements.length === 0 && !state.isOver) await awoken(state)
      if (state.elements.length < mostWaiting / 2 && state.socket.isPaused()) state.socket.resume()
      return state.elements.shift()
    },
    async startTls() {
      // What came before the key was agreed on may be anybody's.
      if (state.elements.length > 0) throw new Error('The server speaks before the line is private.')
      const plain = state.socket
      plain.removeAllListeners('data')
      state.feed = () => undefined
      const socket = connectTls({ socket: plain, servername: domain })
      await ready(socket, 'secureConnect', state.signal)
      attach(state, socket)
      isSecure = true
    },
    get isSecure() {
      return isSecure
    },
    get problem() {
      return state.problem
    },
    end,
    destroy(problem) {
      state.problem = problem
      state.socket.destroy()
    },
  }
}

function awoken(state: StreamState): Promise<void> {
  const before = state.wake
  return new Promise((resolve) => {
    state.wake = () => {
      before()
      resolve()
    }
  })
}

function attach(state: StreamState, socket: Socket): void {
  // A letter may come in two pieces.
  const decoder = new TextDecoder()
  state.socket = socket
  // Two small pieces in a row would wait for each other.
  socket.setNoDelay(true)
  socket.on('data', (bytes: Buffer) => {
    try {
      state.feed(decoder.decode(bytes, { stream: true }))
    } catch (error) {
      state.problem = error instanceof Error ? error.message : String(error)
      socket.destroy()
    }
  })
  socket.on('error', (error) => {
    state.problem = error.message
  })
  socket.on('close', () => {
    if (state.socket !== socket) return
    state.isOver = true
    state.wake()
  })
}

/** Rejects where it is lost before. */
async function ready(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = () => socket.destroy(new Error('The channel is ending.'))
  const timer = setTimeout(() => socket.destroy(new Error('The server does not answer.')), connectMs)
  const closed = () => reject(new Error('The server closed the connection.'))
  socket.once(event, resolve)
  socket.on('error', reject)
  socket.once('close', closed)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    await promise
  } finally {
    clearTimeout(timer)
    socket.off('close', closed)
    signal.removeEventListener('abort', abort)
  }
}

const header = (domain: string): string =>
  `<?xml version='1.0'?><stream:stream to='${domain}' version='1.0' xml:lang='en' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`
