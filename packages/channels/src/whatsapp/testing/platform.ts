/**
 * Owns a stand-in for WhatsApp, written from the documentation of the Cloud API: it takes what its app may send, tells
 * the address of the channel what people write, signed, and again until it is taken, and shows a text as phones do.
 */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { WebAnswer, WebRequest } from '../../frame/protocol.ts'
import type { Fault, Person, SaidOptions, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'
import { readAsShown } from './shown-text.ts'

export interface WhatsappPlatform extends TestPlatform {
  /** Sends this as Meta does, once. */
  notify(body: unknown, signature?: string): Promise<WebAnswer>
  /** The wire shape of what a person says. */
  noticeOf(message: Readonly<Record<string, unknown>>): unknown
  ask(request: WebRequest): Promise<WebAnswer>
  /** Answers the next message so, or the one after so many. */
  answerNext(status: number, error: Readonly<Record<string, unknown>>, after?: number): void
  /** There is a file of this id, and it is said to be there. */
  leadTo(media: string, url: string): void
  /** The app's marks that a message was read. */
  readonly read: readonly string[]
  /** As they came. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[]
}

const phone = '106540352242922'
const secrets = {
  accessToken: 'EAAJB-good-token-1',
  appSecret: 'app-secret-good-1',
  verifyToken: 'verify-good-1',
}
const ana: Person = { id: 'HR.1502576394655843', name: 'Ana' }
const ben: Person = { id: 'HR.1349120865530274', name: 'Ben' }
const knownNumbers = [
  [ana.id, '385911234567'],
  [ben.id, '385917654321'],
] as const

const Text = z.string().min(1).max(4_096)
const Media = z.looseObject({
  id: z.string(),
  caption: z.string().max(1_024).optional(),
  filename: z.string().optional(),
})
const Outgoing = z.looseObject({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read').optional(),
  message_id: z.string().optional(),
  to: z.string().optional(),
  recipient: z.string().optional(),
  type: z.enum(['text', 'interactive', 'image', 'audio', 'video', 'document']).optional(),
  text: z.looseObject({ body: Text }).optional(),
  image: Media.optional(),
  audio: Media.optional(),
  video: Media.optional(),
  document: Media.optional(),
  interactive: z
    .discriminatedUnion('type', [
      z.looseObject({
        type: z.literal('button'),
        body: z.looseObject({ text: z.string().min(1).max(1_024) }),
        action: z.looseObject({
          buttons: z
            .array(
              z.looseObject({
                type: z.literal('reply'),
                reply: z.looseObject({ id: z.string().min(1).max(256), title: z.string().min(1).max(20) }),
              }),
            )
            .min(1)
            .max(3),
        }),
      }),
      z.looseObject({
        type: z.literal('list'),
        body: z.looseObject({ text: Text }),
        action: z.looseObject({
          button: z.string().min(1).max(20),
          sections: z
            .array(
              z.looseObject({
                rows: z
                  .array(
                    z.looseObject({
                      id: z.string().min(1).max(200),
                      title: z.string().min(1).max(24),
                      description: z.string().max(72).optional(),
                    }),
                  )
                  .min(1)
                  .max(10),
              }),
            )
            .length(1),
        }),
      }),
    ])
    .optional(),
})
type Outgoing = z.infer<typeof Outgoing>

interface StoredFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
  readonly url?: string
}

interface World {
  /** Of each person. */
  readonly numbers: Map<string, string>
  readonly shown: Map<string, Shown[]>
  readonly files: Map<string, StoredFile>
  readonly read: string[]
  readonly bodies: Readonly<Record<string, unknown>>[]
  fault: Fault | undefined
  error:
    | { readonly status: number; readonly error: Readonly<Record<string, unknown>>; after: number }
    | undefined
  next: number
  origin: string
}

const failed = (code: number, message: string) => ({ error: { message, type: 'OAuthException', code } })

export async function openWhatsappPlatform(): Promise<WhatsappPlatform> {
  const world: World = {
    numbers: new Map(knownNumbers),
    shown: new Map(),
    files: new Map(),
    read: [],
    bodies: [],
    fault: undefined,
    error: undefined,
    next: 1,
    origin: '',
  }
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    answerTo(world, request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  world.origin = `http://127.0.0.1:${port}`
  const hooks = createHooks()
  const cut = () => sockets.forEach((socket) => void socket.destroy())
  const away = async () => {
    cut()
    await new Promise((resolve) => server.close(resolve))
  }
  const says = async (who: Person, _chat: TestChat, text: string, options: SaidOptions = {}) => {
    const id = `wamid.${Buffer.from(`in-${world.next++}`).toString('base64')}`
    hooks.post(who.id, noticeOf(messageOf(world, who, id, text, options), who.name))
    return id
  }
  return {
    settings: { phoneNumberId: phone, apiUrl: `${world.origin}/v23.0` },
    secrets,
    people: { ana, ben },
    chats: { ana: { id: ana.id, kind: 'private' }, ben: { id: ben.id, kind: 'private' }, group: null },
    joins(number) {
      const id = `HR.${3_000_000_000_000_000 + number}`
      world.numbers.set(id, String(385_920_000_000 + number))
      return { who: { id, name: `Person ${number}` }, chat: { id, kind: 'private' } }
    },
    nowhere: 'HR.9999999999999999',
    wrongSecrets: { ...secrets, accessToken: 'EAAJB-wrong-token-9' },
    reach: hooks.reach,
    says,
    async presses(who, _chat, message, data) {
      const id = `wamid.${Buffer.from(`in-${world.next++}`).toString('base64')}`
      const found = world.shown.get(who.id)?.find((one) => one.id === message)
      const button = found?.buttons.find((one) => one.data === data)
      const reply = { id: data, title: button?.label ?? '' }
      const kind = reply.title.length <= 20 ? 'button_reply' : 'list_reply'
      const said = { ...headOf(world, who, id), type: 'interactive', context: { from: phone, id: message } }
      hooks.post(who.id, noticeOf({ ...said, interactive: { type: kind, [kind]: reply } }, who.name))
    },
    repeats: hooks.repeats,
    shown: (chat) => [...(world.shown.get(chat.id) ?? [])],
    fail: (fault) => {
      world.fault = fault
    },
    disconnect: async () => cut(),
    away,
    back: () => listen(port),
    async close() {
      hooks.close()
      await away()
    },
    notify: hooks.notify,
    noticeOf: (message) => noticeOf(message, 'Ana'),
    ask: hooks.ask,
    answerNext: (status, error, after = 0) => {
      world.error = { status, error, after }
    },
    leadTo: (media, url) =>
      void world.files.set(media, { name: 'x', type: 'x/y', bytes: new Uint8Array(1), url }),
    read: world.read,
    bodies: world.bodies,
  }
}

/** Tells the channel, in order for each person, and again until it is taken. */
function createHooks() {
  let ask: ((request: WebRequest) => Promise<WebAnswer>) | undefined
  let isOver = false
  const told: unknown[] = []
  const turns = new Map<string, Promise<void>>()
  const notify = async (body: unknown, signature?: string): Promise<WebAnswer> => {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const signed = `sha256=${createHmac('sha256', secrets.appSecret).update(bytes).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature ?? signed }
    const none: WebAnswer = { status: 503, mediaType: 'text/plain', text: '' }
    return (await ask?.({ method: 'POST', query: '', headers, body: new Uint8Array(bytes) })) ?? none
  }
  const deliver = async (body: unknown): Promise<void> => {
    // As the platform does, less often each time: a gateway that is too busy is not kept so.
    for (let ms = 10; !isOver && (await notify(body)).status !== 200; ms = Math.min(2 * ms, 2_000))
      await pause(ms)
  }
  return {
    notify,
    ask: (request: WebRequest) => ask?.(request) ?? Promise.reject(new Error('Nobody is there.')),
    reach: (next: NonNullable<typeof ask>) => {
      ask = next
    },
    post(who: string, body: unknown) {
      told.push(body)
      turns.set(
        who,
        (turns.get(who) ?? Promise.resolve()).then(() => deliver(body)),
      )
    },
    async repeats() {
      for (const body of told) await deliver(body)
    },
    close: () => {
      isOver = true
    },
  }
}

function noticeOf(message: Readonly<Record<string, unknown>>, name: string) {
  const contact = { profile: { name }, wa_id: message.from, user_id: message.from_user_id }
  const metadata = { display_phone_number: '15550783881', phone_number_id: phone }
  const value = { messaging_product: 'whatsapp', metadata, contacts: [contact], messages: [message] }
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ field: 'messages', value }] }],
  }
}

const headOf = ({ numbers }: World, { id: person }: Person, id: string) => ({
  from: numbers.get(person),
  from_user_id: person,
  id,
  timestamp: String(Math.floor(Date.now() / 1_000)),
})

function messageOf(world: World, who: Person, id: string, text: string, options: SaidOptions) {
  const { file, forwarded } = options
  const head = { ...headOf(world, who, id), ...(forwarded ? { context: { forwarded: true } } : {}) }
  if (!file) {
    // As the app: it sends nothing that is empty, and no more than this.
    if (text.trim() === '' || text.length > 65_536) throw new Error('The app does not send that.')
    return { ...head, type: 'text', text: { body: text } }
  }
  const media = String(900_000_000 + world.next++)
  const isSound = /\.(ogg|mp3)$/.test(file.name)
  const type = isSound ? 'audio/ogg; codecs=opus' : 'application/octet-stream'
  world.files.set(media, { name: file.name, type, bytes: file.bytes })
  const about = { id: media, mime_type: type, sha256: 'x', ...(text === '' ? {} : { caption: text }) }
  return isSound
    ? { ...head, type: 'audio', audio: { ...about, voice: file.voice === true } }
    : { ...head, type: 'document', document: { ...about, filename: file.name } }
}

async function answerTo(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
  const url = new URL(request.url ?? '', world.origin)
  const say = (status: number, answer: unknown, headers: Readonly<Record<string, string>> = {}) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(answer))
  if (request.headers.authorization !== `Bearer ${secrets.accessToken}`)
    return say(401, failed(190, 'Invalid OAuth access token.'))
  if (url.pathname.startsWith('/files/')) {
    const file = world.files.get(url.pathname.slice('/files/'.length))
    return file ? void response.writeHead(200).end(file.bytes) : say(404, {})
  }
  const [, , object = '', edge = ''] = url.pathname.split('/')
  if (request.method === 'GET' && object === phone) {
    const proof = createHmac('sha256', secrets.appSecret).update(secrets.accessToken).digest('hex')
    if (url.searchParams.get('appsecret_proof') !== proof)
      return say(400, failed(100, 'Invalid appsecret_proof provided in the API argument'))
    return say(200, { id: phone, display_phone_number: '+1 555-078-3881', verified_name: 'Countersign' })
  }
  if (request.method === 'GET') {
    const file = world.files.get(object)
    if (!file) return say(400, failed(100, 'Unsupported get request.'))
    const about = { mime_type: file.type, sha256: 'x', file_size: file.bytes.byteLength, id: object }
    return say(200, {
      messaging_product: 'whatsapp',
      url: file.url ?? `${world.origin}/files/${object}`,
      ...about,
    })
  }
  if (edge === 'media') return say(200, { id: await upload(world, request, body) })
  return take(world, JSON.parse(body.toString()), request, say)
}

const accepted =
  /^(audio\/(aac|mp4|mpeg|amr|ogg)|image\/(jpeg|png)|video\/(mp4|3gpp)|text\/plain|application\/pdf)$/

async function upload(world: World, request: IncomingMessage, body: Buffer): Promise<string> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(body), { headers }).formData()
  const file = form.get('file')
  if (!(file instanceof File) || !accepted.test(file.type.split(';')[0] ?? ''))
    throw new Error('no such file')
  const id = String(800_000_000 + world.next++)
  world.files.set(id, { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) })
  return id
}

type Say = (status: number, answer: unknown, headers?: Readonly<Record<string, string>>) => void

function take(world: World, body: unknown, { socket }: IncomingMessage, say: Say): void {
  const { fault, error } = world
  const read = Outgoing.safeParse(body)
  if (!read.success) return say(400, failed(100, `Invalid parameter: ${read.error.message}`))
  world.bodies.push(read.data)
  if (read.data.status === 'read') {
    world.read.push(read.data.message_id ?? '')
    return say(200, { success: true })
  }
  world.fault = undefined
  if (error && error.after > 0) error.after -= 1
  else if (error) {
    world.error = undefined
    return say(error.status, { error: error.error })
  }
  if (fault?.kind === 'slow-down')
    return say(429, failed(130429, 'Rate limit hit'), {
      'retry-after': String(Math.ceil(fault.afterMs / 1_000)),
    })
  if (fault?.kind === 'refused') return say(400, failed(131047, 'Re-engagement message'))
  if (fault?.kind === 'lost-before') return void socket.destroy()
  const chat = read.data.to ?? read.data.recipient ?? ''
  const person = [...world.numbers].find((pair) => pair.includes(chat))?.[0]
  if (person === undefined) return say(400, failed(131026, 'Message undeliverable'))
  const id = `wamid.${Buffer.from(`out-${world.next++}`).toString('base64')}`
  world.shown.set(person, [...(world.shown.get(person) ?? []), shownOf(world, id, read.data)])
  if (fault?.kind === 'lost-after') return void socket.destroy()
  say(200, { messaging_product: 'whatsapp', contacts: [{ input: chat }], messages: [{ id }] })
}

function shownOf(world: World, id: string, message: Outgoing): Shown {
  const media = message.image ?? message.audio ?? message.video ?? message.document
  const stored = media && world.files.get(media.id)
  const text = message.text?.body ?? message.interactive?.body.text ?? media?.caption ?? ''
  return {
    id,
    ...readAsShown(text),
    edited: false,
    buttons: buttonsOf(message),
    file: stored ? { name: media.filename ?? stored.name, bytes: stored.bytes } : null,
  }
}

function buttonsOf({ interactive }: Outgoing): Shown['buttons'] {
  if (!interactive) return []
  return interactive.type === 'button'
    ? interactive.action.buttons.map(({ reply }) => ({ label: reply.title, data: reply.id }))
    : interactive.action.sections.flatMap(({ rows }) =>
        rows.map((row) => ({ label: row.description ?? row.title, data: row.id })),
      )
}
