/**
 * Owns a Bot API server as core.telegram.org/bots/api describes it, as far as one bot needs it: what it checks, what it
 * answers, and what it keeps. People are played by `platform.ts`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Fault } from '../../testing/platform.ts'

export interface StoredMessage {
  readonly chat: string
  readonly id: number
  readonly thread: string | null
  text: string
  entities: readonly Entity[]
  edited: boolean
  buttons: readonly { readonly label: string; readonly data: string }[]
  readonly file: {
    readonly name: string
    readonly bytes: Uint8Array
    readonly kind: 'document' | 'voice'
  } | null
}

export interface Entity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
  readonly language?: string
}

export interface StoredFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface BotApiServer {
  readonly url: string
  /** What the bot said, in the order in which it came. */
  readonly messages: readonly StoredMessage[]
  readonly files: Map<string, StoredFile>
  /** The last words of each press that was answered. */
  readonly pressed: Map<string, string>
  readonly chats: Set<string>
  readonly calls: readonly Call[]
  /** Set while the bot sends its updates to a web address. */
  webhook: string | undefined
  nextMessage(): number
  /** Puts it in the queue of updates. */
  tell(update: Readonly<Record<string, unknown>>): void
  fail(fault: Fault): void
  /** Answers the next call of a method so. */
  answerNext(method: string, answer: { readonly status: number; readonly body: string }): void
  disconnect(): void
  away(): Promise<void>
  back(): Promise<void>
}

export interface Call {
  readonly method: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ServerOptions {
  readonly token: string
  readonly me: { readonly id: number; readonly first_name: string; readonly username: string }
}

interface State {
  readonly options: ServerOptions
  readonly messages: StoredMessage[]
  readonly files: Map<string, StoredFile>
  readonly pressed: Map<string, string>
  readonly chats: Set<string>
  readonly calls: Call[]
  readonly answers: Map<string, { status: number; body: string }>
  webhook: string | undefined
  updates: (Readonly<Record<string, unknown>> & { readonly update_id: number })[]
  nextUpdate: number
  nextMessage: number
  fault: Fault | undefined
  /** Ends the long poll that is under way. */
  poll: { readonly wake: () => void; readonly supersede: () => void } | undefined
}

/** What the server answers; an error has the code of HTTP too. */
class Refusal extends Error {
  readonly code: number
  readonly parameters: Readonly<Record<string, unknown>> | undefined
  constructor(code: number, description: string, parameters?: Readonly<Record<string, unknown>>) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

type Parameters = Readonly<Record<string, unknown>>

export async function startBotApiServer(options: ServerOptions): Promise<BotApiServer> {
  const state: State = {
    options,
    messages: [],
    files: new Map(),
    pressed: new Map(),
    chats: new Set(),
    calls: [],
    answers: new Map(),
    webhook: undefined,
    updates: [],
    nextUpdate: 870_000_001,
    nextMessage: 100,
    fault: undefined,
    poll: undefined,
  }
  const sockets = new Set<Socket>()
  let port = 0
  let server: Server | undefined

  async function listen(): Promise<void> {
    const one = createServer((request, response) => void serve(state, request, response))
    one.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => one.listen(port, '127.0.0.1', resolve))
    port = (one.address() as AddressInfo).port
    server = one
  }

  function disconnect(): void {
    for (const socket of sockets) socket.destroy()
  }

  await listen()
  return {
    url: `http://127.0.0.1:${port}`,
    messages: state.messages,
    files: state.files,
    pressed: state.pressed,
    chats: state.chats,
    calls: state.calls,
    get webhook() {
      return state.webhook
    },
    set webhook(url) {
      state.webhook = url
    },
    nextMessage: () => {
      state.nextMessage += 1
      return state.nextMessage
    },
    tell(update) {
      state.updates.push({ ...update, update_id: state.nextUpdate })
      state.nextUpdate += 1
      state.poll?.wake()
    },
    fail: (fault) => {
      state.fault = fault
    },
    answerNext: (method, answer) => void state.answers.set(method, answer),
    disconnect,
    async away() {
      const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
      disconnect()
      await closed
      server = undefined
    },
    back: async () => {
      if (!server) await listen()
    },
  }
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { token } = state.options
  const path = new URL(request.url ?? '/', 'http://x').pathname
  const file = path.startsWith(`/file/bot${token}/`) ? path.slice(`/file/bot${token}/`.length) : undefined
  if (file !== undefined) return serveFile(state, file, response)
  const [, given, method = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(path) ?? []
  if (!/^\d+:[\w-]+$/.test(given ?? '')) return answer(response, 404, failed(404, 'Not Found'))
  if (given !== token) return answer(response, 401, failed(401, 'Unauthorized'))
  const isSending = /^(?:sendMessage|sendDocument|sendVoice)$/.test(method)
  const fault = isSending ? state.fault : undefined
  if (isSending) state.fault = undefined
  if (fault?.kind === 'lost-before') return void request.socket.destroy()
  try {
    const parameters = await parametersOf(request)
    state.calls.push({ method, parameters })
    const scripted = state.answers.get(method)
    state.answers.delete(method)
    if (scripted) return answer(response, scripted.status, scripted.body)
    if (fault) meet(fault)
    const result = await perform(state, method, parameters, response)
    if (fault?.kind === 'lost-after') return void request.socket.destroy()
    answer(response, 200, JSON.stringify({ ok: true, result }))
  } catch (error) {
    if (!(error instanceof Refusal)) return answer(response, 500, failed(500, 'Internal Server Error'))
    answer(response, error.code, failed(error.code, error.message, error.parameters))
  }
}

function meet(fault: Fault): void {
  if (fault.kind === 'refused') throw new Refusal(403, 'Forbidden: bot was blocked by the user')
  if (fault.kind !== 'slow-down') return
  const seconds = Math.ceil(fault.afterMs / 1_000)
  throw new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
}

function failed(code: number, description: string, parameters?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) })
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}

function serveFile(state: State, path: string, response: ServerResponse): void {
  const found = [...state.files.values()].find((one) => one.path === decodeURIComponent(path))
  if (!found) return answer(response, 404, failed(404, 'Not Found'))
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  response.end(found.bytes)
}

/** As JSON, or as a form in which everything but text and files is JSON. */
async function parametersOf(request: IncomingMessage): Promise<Parameters> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/json'))
    return body.length === 0 ? {} : (JSON.parse(body.toString()) as Parameters)
  if (!type.startsWith('multipart/form-data')) return {}
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const read: Record<string, unknown> = {}
  for (const [name, value] of form) read[name] = typeof value === 'string' ? fieldOf(name, value) : value
  return read
}

const fieldOf = (name: string, value: string): unknown =>
  ['caption_entities', 'reply_markup', 'message_thread_id'].includes(name)
    ? (JSON.parse(value) as unknown)
    : value

async function perform(
  state: State,
  method: string,
  parameters: Parameters,
  response: ServerResponse,
): Promise<unknown> {
  switch (method) {
    case 'getMe':
      return { ...state.options.me, is_bot: true, can_join_groups: true }
    case 'getUpdates':
      return getUpdates(state, parameters, response)
    case 'deleteWebhook':
      state.webhook = undefined
      return true
    case 'sendMessage':
      return sendMessage(state, parameters)
    case 'sendDocument':
    case 'sendVoice':
      return sendFile(state, method === 'sendVoice' ? 'voice' : 'document', parameters)
    case 'editMessageText':
      return editMessageText(state, parameters)
    case 'answerCallbackQuery':
      return answerCallbackQuery(state, parameters)
    case 'sendChatAction':
      chatOf(state, parameters)
      return true
    case 'getFile':
      return getFile(state, parameters)
    default:
      throw new Refusal(404, 'Not Found: method not found')
  }
}

async function getUpdates(state: State, parameters: Parameters, response: ServerResponse): Promise<unknown> {
  if (state.webhook !== undefined)
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    )
  state.poll?.supersede()
  const {
    offset,
    timeout = 0,
    limit = 100,
  } = parameters as { offset?: number; timeout?: number; limit?: number }
  // What is below the offset was taken, and is forgotten.
  if (offset !== undefined && offset >= 0)
    state.updates = state.updates.filter((one) => one.update_id >= offset)
  if (state.updates.length === 0 && timeout > 0) await longPoll(state, timeout, response)
  return state.updates.slice(0, limit)
}

function longPoll(state: State, seconds: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer)
      response.off('close', gone)
      if (state.poll === mine) state.poll = undefined
      settle()
    }
    const gone = end(resolve)
    const timer = setTimeout(gone, seconds * 1_000)
    const conflict =
      'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'
    const mine = { wake: gone, supersede: end(() => reject(new Refusal(409, conflict))) }
    response.on('close', gone)
    state.poll = mine
  })
}

const longestText = 4_096
const longestCaption = 1_024

function sendMessage(state: State, parameters: Parameters): unknown {
  const chat = chatOf(state, parameters)
  const { text, entities } = textIn(parameters, 'text', longestText)
  if (text === '') throw new Refusal(400, 'Bad Request: message text is empty')
  return stored(state, { chat, text, entities, parameters, file: null })
}

async function sendFile(state: State, kind: 'document' | 'voice', parameters: Parameters): Promise<unknown> {
  const chat = chatOf(state, parameters)
  const { text, entities } = textIn(parameters, 'caption', longestCaption)
  const given = parameters[kind]
  // A file may stand in a field of its own.
  const attached = typeof given === 'string' ? /^attach:\/\/(\w+)$/.exec(given)?.[1] : undefined
  const file = attached === undefined ? given : parameters[attached]
  if (!(file instanceof File)) throw new Refusal(400, `Bad Request: there is no ${kind} in the request`)
  if (file.size === 0) throw new Refusal(400, 'Bad Request: file must be non-empty')
  const bytes = new Uint8Array(await file.arrayBuffer())
  return stored(state, { chat, text, entities, parameters, file: { name: file.name, bytes, kind } })
}

function stored(
  state: State,
  parts: Pick<StoredMessage, 'chat' | 'text' | 'entities' | 'file'> & { readonly parameters: Parameters },
): unknown {
  const { parameters, ...content } = parts
  const thread = parameters['message_thread_id']
  if (thread !== undefined && typeof thread !== 'number')
    throw new Refusal(400, 'Bad Request: message thread not found')
  state.nextMessage += 1
  const message: StoredMessage = {
    ...content,
    id: state.nextMessage,
    thread: thread === undefined ? null : String(thread),
    edited: false,
    buttons: buttonsIn(parameters),
  }
  state.messages.push(message)
  return viewOf(state, message)
}

const viewOf = (state: State, message: StoredMessage) => ({
  message_id: message.id,
  from: { ...state.options.me, is_bot: true },
  chat: { id: Number(message.chat), type: Number(message.chat) > 0 ? 'private' : 'supergroup' },
  date: Math.floor(Date.now() / 1_000),
  text: message.text,
})

function editMessageText(state: State, parameters: Parameters): unknown {
  const chat = chatOf(state, parameters)
  const message = state.messages.find((one) => one.chat === chat && one.id === parameters['message_id'])
  if (!message) throw new Refusal(400, 'Bad Request: message to edit not found')
  if (message.file) throw new Refusal(400, 'Bad Request: there is no text in the message to edit')
  const { text, entities } = textIn(parameters, 'text', longestText)
  if (text === '') throw new Refusal(400, 'Bad Request: message text is empty')
  const buttons = buttonsIn(parameters)
  if (text === message.text && JSON.stringify(buttons) === JSON.stringify(message.buttons))
    throw new Refusal(
      400,
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    )
  Object.assign(message, { text, entities, buttons, edited: true })
  return viewOf(state, message)
}

function answerCallbackQuery(state: State, parameters: Parameters): unknown {
  const id = String(parameters['callback_query_id'])
  if (!state.pressed.has(id))
    throw new Refusal(
      400,
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    )
  const { text = '' } = parameters
  if (typeof text !== 'string') throw new Refusal(400, 'Bad Request: text must be a string')
  if (text.length > 200) throw new Refusal(400, 'Bad Request: MESSAGE_TOO_LONG')
  state.pressed.set(id, text)
  return true
}

function getFile(state: State, parameters: Parameters): unknown {
  const id = String(parameters['file_id'])
  const file = state.files.get(id)
  if (!file) throw new Refusal(400, 'Bad Request: wrong file_id or the file is temporarily unavailable')
  return { file_id: id, file_unique_id: `u${id}`, file_size: file.bytes.byteLength, file_path: file.path }
}

function chatOf(state: State, parameters: Parameters): string {
  const chat = String(parameters['chat_id'])
  if (!state.chats.has(chat)) throw new Refusal(400, 'Bad Request: chat not found')
  return chat
}

const entityTypes = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'code',
  'pre',
  'text_link',
])

function textIn(
  parameters: Parameters,
  field: 'text' | 'caption',
  most: number,
): { text: string; entities: readonly Entity[] } {
  if (parameters['parse_mode'] !== undefined)
    throw new Refusal(400, "Bad Request: can't parse entities: this server parses nothing")
  const given = parameters[field] ?? ''
  if (typeof given !== 'string') throw new Refusal(400, 'Bad Request: text must be a string')
  if (!given.isWellFormed()) throw new Refusal(400, 'Bad Request: strings must be encoded in UTF-8')
  const entities = (parameters[field === 'text' ? 'entities' : 'caption_entities'] ?? []) as Entity[]
  if (given.length > most)
    throw new Refusal(
      400,
      field === 'text' ? 'Bad Request: message is too long' : 'Bad Request: message caption is too long',
    )
  if (entities.length > 100) throw new Refusal(400, 'Bad Request: too many entities')
  for (const { type, offset, length } of entities) {
    if (!entityTypes.has(type)) throw new Refusal(400, `Bad Request: unsupported entity type ${type}`)
    const isInside = Number.isInteger(offset) && offset >= 0 && length > 0 && offset + length <= given.length
    if (!isInside) throw new Refusal(400, 'Bad Request: ENTITY_BOUNDS_INVALID')
  }
  return { text: given.trim(), entities }
}

function buttonsIn(parameters: Parameters): { label: string; data: string }[] {
  const markup = parameters['reply_markup'] as
    | { inline_keyboard: { text: string; callback_data: string }[][] }
    | undefined
  return (markup?.inline_keyboard ?? []).flat().map(({ text, callback_data: data }) => {
    const size = Buffer.byteLength(data)
    if (text === '') throw new Refusal(400, 'Bad Request: text buttons are unallowed in the inline keyboard')
    if (size < 1 || size > 64) throw new Refusal(400, 'Bad Request: BUTTON_DATA_INVALID')
    return { label: text, data }
  })
}
