/**
 * A server on the loopback address that speaks Chat Completions for one small model: `server.ts <folder> <weights>`.
 * Says its address in the first line of its output. Stops the model when the client goes away. Keeps no conversation.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatMessage } from './chat-prompt.ts'
import { type Engine, openEngine } from './engine.ts'
import type { RequestNote } from './notes.ts'

const modelName = 'tinyllama-1.1b-chat'
/** A model this small says nothing new after this. */
const longestReply = 96

const [folder = '', weights = ''] = process.argv.slice(2)
const engine = await openEngine(folder, weights)
const notes: RequestNote[] = []

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    response.destroy()
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
// Whoever started it holds the other end.
process.stdin.on('end', () => process.exit(0)).resume()

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const place = `${request.method} ${request.url}`
  if (place === 'GET /notes') return sendJson(response, 200, notes)
  if (place === 'GET /v1/models')
    return sendJson(response, 200, { object: 'list', data: [{ id: modelName, object: 'model' }] })
  if (place !== 'POST /v1/chat/completions') return refuse(response, 404, `Nothing is served at ${place}.`)

  const asked = chatRequestIn(await textOf(request))
  if (asked === undefined) return refuse(response, 400, 'The body is not a request for a chat completion.')
  const prompt = engine.tokensOf(asked.messages)
  const note: RequestNote = {
    at: Date.now(),
    authorization: request.headers.authorization !== undefined,
    tools: asked.tools,
    promptTokens: prompt.length,
    firstTokenAt: null,
    lastTokenAt: null,
    tokens: 0,
    leftAt: null,
    endedAt: null,
  }
  notes.push(note)
  const room = engine.contextTokens - prompt.length
  if (room < 1)
    return refuse(
      response,
      400,
      `The request has ${prompt.length} tokens; this model takes ${engine.contextTokens}.`,
    )
  await answer({ engine, prompt, mostTokens: Math.min(asked.mostTokens, longestReply, room) }, note, response)
}

interface Order {
  readonly engine: Engine
  readonly prompt: Parameters<Engine['reply']>[0]
  readonly mostTokens: number
}

async function answer(order: Order, note: RequestNote, response: ServerResponse): Promise<void> {
  const left = new AbortController()
  response.once('close', () => {
    if (response.writableFinished) return
    note.leftAt = Date.now()
    left.abort()
  })
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const id = `chatcmpl-${notes.length}`
  const event = (fields: object) =>
    response.write(
      `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 0, model: modelName, ...fields })}\n\n`,
    )
  const delta = (fields: object, finish: string | null = null) =>
    event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })

  delta({ role: 'assistant', content: '' })
  for await (const step of order.engine.reply(order.prompt, order.mostTokens, left.signal)) {
    if (step.kind === 'end') delta({}, step.finish)
    else {
      note.tokens += 1
      note.lastTokenAt = Date.now()
      note.firstTokenAt ??= note.lastTokenAt
      delta({ content: step.text })
    }
  }
  note.endedAt = Date.now()
  if (left.signal.aborted) return
  const usage = {
    prompt_tokens: order.prompt.length,
    completion_tokens: note.tokens,
    total_tokens: order.prompt.length + note.tokens,
  }
  event({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly mostTokens: number
  readonly tools: number
}

/** Only streams are served, which is all that is asked for here. */
function chatRequestIn(text: string): ChatRequest | undefined {
  const body = JSON.parse(text) as Record<string, unknown>
  if (body['stream'] !== true || !Array.isArray(body['messages'])) return undefined
  const messages = (body['messages'] as Record<string, unknown>[]).map(({ role, content }) => ({
    role: String(role),
    content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
  }))
  const most = Number(body['max_tokens'] ?? body['max_completion_tokens'] ?? longestReply)
  return { messages, mostTokens: most, tools: Array.isArray(body['tools']) ? body['tools'].length : 0 }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', code: null } })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
