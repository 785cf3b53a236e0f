/** Owns a real HTTP server on this computer that speaks the protocol by hand: each hostile server is a path of it. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@countersign/contract'

export interface FarAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonObject
  /** In place of a body, messages one after the other in a stream of events. */
  readonly events?: readonly JsonObject[]
}

export interface FarRequest {
  readonly method: string
  readonly authorization: string | undefined
  readonly message: JsonObject
}

export type FarScript = (message: JsonObject, request: IncomingMessage) => FarAnswer

export interface FarServer {
  readonly port: number
  url(name: string): string
  play(name: string, script: FarScript): void
  /** What was asked of it. */
  asked(name: string): readonly FarRequest[]
  close(): Promise<void>
}

export async function openFarServer(): Promise<FarServer> {
  const scripts = new Map<string, FarScript>()
  const asked = new Map<string, FarRequest[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const name = (request.url ?? '/').slice(1)
      const text = Buffer.concat(chunks).toString('utf8')
      const message = text === '' ? {} : (JSON.parse(text) as JsonObject)
      const known = asked.get(name) ?? []
      asked.set(name, known)
      known.push({ method: request.method ?? '', authorization: request.headers.authorization, message })
      const { status, headers = {}, body, events } = scripts.get(name)?.(message, request) ?? { status: 404 }
      const type = events ? 'text/event-stream' : 'application/json'
      response.writeHead(status, { 'content-type': type, ...headers })
      for (const each of events ?? []) response.write(`event: message\ndata: ${rpc(each)}\n\n`)
      response.end(body && rpc(body))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    play: (name, script) => void scripts.set(name, script),
    asked: (name) => asked.get(name) ?? [],
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

function rpc(message: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message })
}

/** An honest beginning; what is called is answered by `called`. */
export function farScript(
  tools: () => readonly JsonObject[],
  called: (message: JsonObject) => FarAnswer,
): FarScript {
  return (message) => {
    const { id = null, method } = message
    // An answer to what it asked, or news that wants no answer.
    if (id === null || method === undefined) return { status: 202 }
    const params = (message['params'] ?? {}) as JsonObject
    switch (method) {
      case 'initialize':
        return {
          status: 200,
          body: {
            id,
            result: {
              protocolVersion: params['protocolVersion'] ?? '',
              capabilities: { tools: {} },
              serverInfo: { name: 'far', version: '1' },
            },
          },
        }
      case 'tools/list':
        return { status: 200, body: { id, result: { tools: [...tools()] } } }
      case 'tools/call':
        return called(message)
      default:
        return { status: 200, body: { id, error: { code: -32601, message: 'no' } } }
    }
  }
}

export function farText(message: JsonObject, text: string): FarAnswer {
  return {
    status: 200,
    body: { id: message['id'] ?? null, result: { content: [{ type: 'text', text }] } },
  }
}
