/**
 * Owns a scripted Home Assistant on this computer: its server of the Model Context Protocol at `/api/mcp` and its WebSocket API
 * at `/api/websocket`, for one access token, over the same house. It keeps to what Home Assistant does: stateless answers in
 * JSON, and a socket that wants the token before anything else.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { assistTools, callAssist } from './assist-tools.ts'
import { createHouse, type Entity, type House } from './house.ts'

export interface ScriptedHomeAssistant {
  readonly port: number
  readonly mcpUrl: string
  readonly socketUrl: string
  readonly token: string
  /** The tools that were called over the Model Context Protocol, in order. */
  readonly called: readonly { readonly tool: string; readonly args: unknown }[]
  close(): Promise<void>
}

interface Message {
  readonly id?: number
  readonly type?: string
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: unknown
    readonly protocolVersion?: string
  }
  readonly access_token?: string
  readonly event_type?: string
  readonly domain?: string
  readonly service?: string
  readonly service_data?: Parameters<House['call']>[3]
  readonly target?: { readonly entity_id?: string | readonly string[] }
}

const version = '2026.11.2'

export async function startHomeAssistant(port = 0): Promise<ScriptedHomeAssistant> {
  const token = 'eyJ-long-lived-access-token-of-the-house'
  const house = createHouse()
  const called: { tool: string; args: unknown }[] = []
  const server = createServer((request, response) => void atMcp(request, response))
  const sockets = new WebSocketServer({ server, path: '/api/websocket' })
  sockets.on('connection', (socket) => converse(socket, house, token))

  async function atMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const say = (status: number, body?: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body && JSON.stringify({ jsonrpc: '2.0', ...body }))
    }
    if (request.url !== '/api/mcp') return say(404)
    if (request.headers.authorization !== `Bearer ${token}`) return say(401)
    if (request.method !== 'POST') return say(405)
    const { id, method = '', params = {} } = JSON.parse(await textOf(request)) as Message
    if (id === undefined) return say(202)
    if (method === 'tools/call') called.push({ tool: params.name ?? '', args: params.arguments })
    const result = resultOf(house, method, params)
    say(
      200,
      result === undefined ? { id, error: { code: -32601, message: 'Method not found' } } : { id, result },
    )
  }

  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const at = (server.address() as AddressInfo).port
  return {
    port: at,
    mcpUrl: `http://127.0.0.1:${at}/api/mcp`,
    socketUrl: `ws://127.0.0.1:${at}/api/websocket`,
    token,
    called,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function resultOf(house: House, method: string, params: NonNullable<Message['params']>): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'home-assistant', version },
      }
    case 'tools/list':
      return { tools: assistTools }
    case 'tools/call':
      return calledTool(house, params)
    case 'ping':
      return {}
    default:
      return undefined
  }
}

function calledTool(house: House, { name = '', arguments: args }: NonNullable<Message['params']>): object {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(callAssist(house, name, args)) }] }
  } catch (error) {
    return {
      content: [{ type: 'text', text: `Error calling tool: ${error instanceof Error ? error.message : ''}` }],
      isError: true,
    }
  }
}

function converse(socket: WebSocket, house: House, token: string): void {
  const say = (message: object) => socket.send(JSON.stringify(message))
  const stops: (() => void)[] = []
  let isIn = false
  socket.on('close', () => {
    for (const stop of stops) stop()
  })
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message
    if (isIn) return answer(message)
    isIn = message.type === 'auth' && message.access_token === token
    say(
      isIn
        ? { type: 'auth_ok', ha_version: version }
        : { type: 'auth_invalid', message: 'Invalid access token' },
    )
    if (!isIn) socket.close()
  })
  say({ type: 'auth_required', ha_version: version })

  function answer({ id, type, domain = '', service = '', service_data: given = {}, target }: Message): void {
    const done = (result: unknown) => say({ id, type: 'result', success: true, result })
    switch (type) {
      case 'get_states':
        return done(house.entities().map(stateOf))
      case 'subscribe_events':
        stops.push(house.watch((before, after) => say({ id, type: 'event', event: changed(before, after) })))
        return done(null)
      case 'call_service':
        house.call(domain, service, [target?.entity_id ?? []].flat(), given)
        return done({ context: {} })
      default:
        return say({ id, type: 'result', success: false, error: { code: 'unknown_command' } })
    }
  }
}

function changed(before: Entity, after: Entity): object {
  return {
    event_type: 'state_changed',
    data: { entity_id: after.id, old_state: stateOf(before), new_state: stateOf(after) },
    origin: 'LOCAL',
  }
}

function stateOf({ id, name, state, attributes }: Entity): object {
  return { entity_id: id, state, attributes: { friendly_name: name, ...attributes } }
}
