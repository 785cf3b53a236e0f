/** Owns a server on this computer that test platforms answer with: HTTP and WebSocket on one port, which can be away and come back. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Answered {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes as they are, anything else as JSON. */
  readonly body?: unknown
}

export interface ScriptedParts {
  /** True, and the connection is lost before anything is read. */
  readonly losesBefore?: (method: string, path: string) => boolean
  /** `lost`: what was asked was done, and the connection is lost. */
  readonly answer: (asked: Asked) => Promise<Answered | 'lost'> | Answered | 'lost'
  readonly line: (line: WebSocket, path: string, query: URLSearchParams) => void
}

export interface ScriptedServer {
  readonly port: number
  disconnect(): Promise<void>
  away(): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

export async function openScriptedServer(parts: ScriptedParts): Promise<ScriptedServer> {
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (parts.losesBefore?.(request.method ?? '', pathname)) request.socket.destroy()
    else void reply(parts, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    sockets.handleUpgrade(request, socket, head, (line) => parts.line(line, pathname, searchParams))
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo

  function cut(): void {
    for (const line of sockets.clients) line.terminate()
    server.closeAllConnections()
  }
  async function away(): Promise<void> {
    if (!server.listening) return
    const closed = new Promise((done) => server.close(done))
    cut()
    await closed
  }
  return {
    port,
    async disconnect() {
      cut()
    },
    away,
    back: () => listen(port),
    close: away,
  }
}

async function reply(
  parts: ScriptedParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const answered = await parts.answer({
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: Buffer.concat(pieces),
  })
  if (answered === 'lost') {
    request.socket.destroy()
    return
  }
  const { status = 200, headers = {}, body } = answered
  const isBytes = body instanceof Uint8Array
  response.writeHead(status, {
    'content-type': isBytes ? 'application/octet-stream' : 'application/json',
    ...headers,
  })
  response.end(isBytes ? body : body === undefined ? '' : JSON.stringify(body))
}
