/**
 * Owns a server of Discord on this computer, written from its documentation: the part of the REST API that we call, and
 * a gateway with sessions that can be resumed.
 */
import type { WebSocket } from 'ws'
import type { Fault, Person, SaidOptions, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'
import { type Answered, type Asked, openScriptedServer } from '../../testing/scripted-server.ts'
import { tries } from '../outbound.ts'
import { readDiscordText } from './rendering.ts'

type Json = Readonly<Record<string, unknown>>

const botToken = 'secret-bot-token-a'
const application = '900000000000000001'
const guild = '900000000000000002'
const self = { id: '900000000000000003', username: 'countersign', bot: true }
const people = {
  ana: { id: '100000000000000001', name: 'Ana' },
  ben: { id: '100000000000000002', name: 'Ben' },
  bot: { id: '100000000000000003', name: 'Other' },
}
const chats = {
  ana: { id: '200000000000000001', kind: 'private' },
  ben: { id: '200000000000000002', kind: 'private' },
  group: { id: '200000000000000003', kind: 'group' },
} as const
const thread = '200000000000000004'
const channels = new Map<string, Json>([
  [chats.ana.id, { id: chats.ana.id, type: 1 }],
  [chats.ben.id, { id: chats.ben.id, type: 1 }],
  [chats.group.id, { id: chats.group.id, type: 0, guild_id: guild, name: 'general' }],
  [thread, { id: thread, type: 11, guild_id: guild, name: 'a thread', parent_id: chats.group.id }],
])

export interface DiscordPlatform extends TestPlatform {
  /** Tells it, whatever it is. */
  tells(type: string, data: Json): void
  /** Sends it on the line as it stands. */
  sends(text: string): void
  /** The session cannot be resumed any more. */
  forgets(): void
  /** The next lines are to send a beat so often. */
  beatsEvery(ms: number, isAnswered?: boolean): void
  /** How lines began: by a new session or the one before. */
  readonly beginnings: readonly ('identify' | 'resume')[]
  readonly intents: readonly number[]
  /** What whoever pressed a button was told. */
  readonly whispers: readonly { readonly token: string; readonly text: string }[]
  readonly acknowledged: readonly string[]
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body: Json }[]
  beats(): number
  /** The next call whose path ends so is answered so. */
  answers(pathEnd: string, answer: Answered): void
  /** The next tries to send are lost before they are read. */
  loses(count: number): void
}

interface Stored {
  readonly id: string
  readonly channel: string
  readonly author: Json & { readonly id: string }
  content: string
  embeds: readonly Json[]
  components: readonly Json[]
  callsPeople: boolean
  edited: string | null
  readonly mentions: readonly Json[]
  readonly attachments: readonly Attached[]
  readonly flags: number
  readonly answered: Stored | null
  readonly forwarded: boolean
}

interface Attached {
  readonly id: string
  readonly name: string
  readonly bytes: Buffer
}

interface Session {
  readonly id: string
  seq: number
  readonly told: { readonly t: string; readonly d: Json; readonly s: number }[]
  line: WebSocket | undefined
}

export async function openDiscordPlatform(): Promise<DiscordPlatform> {
  const world = createWorld()
  const server = await openScriptedServer({
    losesBefore: (method, path) => world.losesBefore(method, path),
    answer: (asked) => answerCall(world, asked),
    line: (line) => greet(world, line),
  })
  world.base = `http://127.0.0.1:${server.port}`
  return {
    settings: { apiUrl: `${world.base}/api/v10` },
    secrets: { botToken },
    people,
    chats,
    thread,
    nowhere: '299999999999999999',
    ...acts(world),
    beginnings: world.beginnings,
    intents: world.intents,
    whispers: world.whispers,
    acknowledged: world.acknowledged,
    calls: world.calls,
    beats: () => world.beats,
    shown: (chat) =>
      world.messages
        .filter(({ author, channel }) => author.id === self.id && placeOf(channel) === chat.id)
        .map((message) => shownOf(message)),
    fail: (fault) => {
      if (fault.kind === 'lost-before') world.losses = tries
      else world.fault = fault
    },
    loses: (count) => void (world.losses = count),
    answers: (pathEnd, answer) => void world.scripted.set(pathEnd, answer),
    ...server,
  }
}

const placeOf = (channel: string): string => (channel === thread ? chats.group.id : channel)

type World = ReturnType<typeof createWorld>

function createWorld() {
  let count = 0n
  const begun = BigInt(Date.now()) - 1_420_070_400_000n
  const world = {
    base: '',
    fault: undefined as Fault | undefined,
    losses: 0,
    messages: [] as Stored[],
    nonces: new Map<string, Stored>(),
    session: undefined as Session | undefined,
    lines: new Set<WebSocket>(),
    told: [] as { t: string; d: Json }[],
    beginnings: [] as ('identify' | 'resume')[],
    intents: [] as number[],
    beats: 0,
    beatMs: 41_250,
    answersBeats: true,
    whispers: [] as { token: string; text: string }[],
    acknowledged: [] as string[],
    calls: [] as { method: string; path: string; body: Json }[],
    scripted: new Map<string, Answered>(),
    next: () => String(((begun + (count += 1n)) << 22n) + count),
    takeFault(kind: Fault['kind']): Fault | undefined {
      const { fault } = world
      if (fault?.kind !== kind) return undefined
      world.fault = undefined
      return fault
    },
    losesBefore(method: string, path: string): boolean {
      if (world.losses === 0 || !isSending(method, path)) return false
      world.losses -= 1
      return true
    },
    tell(t: string, d: Json): void {
      world.told.push({ t, d })
      world.dispatch(t, d)
    },
    dispatch(t: string, d: Json): void {
      const { session } = world
      if (!session) return
      session.seq += 1
      const one = { t, d, s: session.seq }
      session.told.push(one)
      session.line?.send(JSON.stringify({ op: 0, ...one }))
    },
    store(message: Partial<Stored> & Pick<Stored, 'channel' | 'author' | 'content'>): Stored {
      const stored: Stored = {
        id: world.next(),
        embeds: [],
        components: [],
        callsPeople: true,
        edited: null,
        mentions: [],
        attachments: [],
        flags: 0,
        answered: null,
        forwarded: false,
        ...message,
      }
      world.messages.push(stored)
      world.tell('MESSAGE_CREATE', messageJson(stored, world.base))
      return stored
    },
  }
  return world
}

const isSending = (method: string, path: string): boolean =>
  /^(POST|PATCH)$/.test(method) && /\/channels\/\d+\/messages(\/\d+)?$/.test(path)

function greet(world: World, line: WebSocket): void {
  world.lines.add(line)
  line.on('close', () => {
    world.lines.delete(line)
    if (world.session?.line === line) world.session.line = undefined
  })
  line.on('message', (raw) => {
    const { op, d } = JSON.parse((raw as Buffer).toString()) as { op: number; d: Json }
    if (op === 1) {
      world.beats += 1
      if (world.answersBeats) line.send(JSON.stringify({ op: 11 }))
    } else if (d.token !== botToken) line.close(4_004, 'Authentication failed.')
    else if (op === 2) identify(world, line, d)
    else if (op === 6) resume(world, line, d)
  })
  line.send(JSON.stringify({ op: 10, d: { heartbeat_interval: world.beatMs } }))
}

function identify(world: World, line: WebSocket, { intents }: Json): void {
  world.beginnings.push('identify')
  world.intents.push(Number(intents))
  const session: Session = { id: world.next(), seq: 1, told: [], line }
  world.session = session
  const d = {
    v: 10,
    user: self,
    session_id: session.id,
    resume_gateway_url: world.base.replace('http', 'ws'),
    application: { id: application },
    guilds: [{ id: guild, unavailable: true }],
  }
  line.send(JSON.stringify({ op: 0, t: 'READY', s: 1, d }))
}

function resume(world: World, line: WebSocket, { session_id, seq }: Json): void {
  const { session } = world
  if (!session || session.id !== session_id || Number(seq) > session.seq) {
    line.send(JSON.stringify({ op: 9, d: false }))
    return
  }
  world.beginnings.push('resume')
  session.line = line
  for (const one of session.told) if (one.s > Number(seq)) line.send(JSON.stringify({ op: 0, ...one }))
  session.seq += 1
  line.send(JSON.stringify({ op: 0, t: 'RESUMED', s: session.seq, d: {} }))
}

function messageJson(message: Stored, base: string): Json {
  const { channel, mentions, answered, forwarded } = message
  const isGroup = channels.get(channel)?.guild_id !== undefined
  // Without the intent, words that do not mention us are left out.
  const isOpen = !isGroup || message.author.id === self.id || mentions.some(({ id }) => id === self.id)
  const content = isOpen ? message.content : ''
  const attachments = (isOpen ? message.attachments : []).map((file) => ({
    id: file.id,
    filename: file.name,
    size: file.bytes.byteLength,
    url: `${base}/cdn/${file.id}`,
    ...(message.flags === 1 << 13 ? { waveform: 'AAAA', duration_secs: 1 } : {}),
  }))
  return {
    id: message.id,
    channel_id: channel,
    ...(isGroup ? { guild_id: guild } : {}),
    author: message.author,
    content: forwarded ? '' : content,
    timestamp: timeOf(message.id),
    edited_timestamp: message.edited,
    type: answered ? 19 : 0,
    flags: message.flags,
    mentions,
    mention_everyone: false,
    attachments: forwarded ? [] : attachments,
    embeds: message.embeds,
    components: message.components,
    ...(answered
      ? {
          message_reference: { type: 0, message_id: answered.id, channel_id: channel },
          referenced_message: { id: answered.id, author: answered.author, content: answered.content },
        }
      : {}),
    ...(forwarded
      ? {
          message_reference: { type: 1, message_id: '1' },
          message_snapshots: [{ message: { content, attachments } }],
        }
      : {}),
  }
}

const timeOf = (id: string): string =>
  new Date(Number((BigInt(id) >> 22n) + 1_420_070_400_000n)).toISOString().replace('Z', '000+00:00')

function shownOf(message: Stored): Shown {
  const [embed] = message.embeds
  const source = message.content === '' && embed ? String(embed.description) : message.content
  const [file] = message.attachments
  return {
    id: message.id,
    ...readDiscordText(source, message.callsPeople),
    edited: message.edited !== null,
    thread: message.channel === thread ? thread : null,
    buttons: message.components
      .flatMap(({ components }) => components as Json[])
      .map(({ label, custom_id }) => ({ label: String(label), data: String(custom_id) })),
    file: file ? { name: file.name, bytes: file.bytes } : null,
  }
}

function acts(world: World) {
  function find(id: string): Stored {
    const found = world.messages.find((message) => message.id === id)
    if (!found) throw new Error(`There is no message ${id}.`)
    return found
  }
  const userOf = ({ id, name }: Person) => ({
    id,
    username: 'someone',
    global_name: name,
    ...(id === people.bot.id ? { bot: true } : {}),
  })
  return {
    async says(who: Person, chat: TestChat, text: string, options: SaidOptions = {}): Promise<string> {
      const mentioned = options.addressed && chat.kind === 'group'
      const answered = options.answers ? find(options.answers) : null
      const { file } = options
      const message = world.store({
        channel: options.thread ?? chat.id,
        author: userOf(who),
        content: `${mentioned ? `<@${self.id}> ` : ''}${text}`,
        mentions: [...(mentioned ? [self] : []), ...(answered ? [answered.author] : [])],
        attachments: file ? [{ id: world.next(), name: file.name, bytes: Buffer.from(file.bytes) }] : [],
        flags: file?.voice ? 1 << 13 : 0,
        answered,
        forwarded: options.forwarded === true,
      })
      return message.id
    },
    async edits(_: Person, __: TestChat, id: string, text: string): Promise<void> {
      const message = find(id)
      message.content = text
      message.edited = timeOf(world.next())
      world.tell('MESSAGE_UPDATE', messageJson(message, world.base))
    },
    async deletes(_: Person, __: TestChat, id: string): Promise<void> {
      const { channel } = find(id)
      world.messages = world.messages.filter((one) => one.id !== id)
      const isGroup = channels.get(channel)?.guild_id !== undefined
      world.tell('MESSAGE_DELETE', { id, channel_id: channel, ...(isGroup ? { guild_id: guild } : {}) })
    },
    async presses(who: Person, chat: TestChat, id: string, data: string): Promise<void> {
      const message = find(id)
      const buttons = message.components.flatMap(({ components }) => components as Json[])
      if (!buttons.some(({ custom_id }) => custom_id === data)) throw new Error('There is no such button.')
      const isGroup = chat.kind === 'group'
      world.tell('INTERACTION_CREATE', {
        id: world.next(),
        application_id: application,
        type: 3,
        token: `token-${world.next()}`,
        version: 1,
        data: { component_type: 2, custom_id: data },
        channel_id: message.channel,
        channel: channels.get(message.channel),
        message: messageJson(message, world.base),
        ...(isGroup ? { guild_id: guild, member: { user: userOf(who) } } : { user: userOf(who) }),
      })
    },
    async repeats(): Promise<void> {
      // What is told again is not told twice as often the next time.
      for (const { t, d } of world.told) world.dispatch(t, d)
    },
    tells: (type: string, data: Json) => world.tell(type, data),
    sends: (text: string) => world.lines.forEach((line) => line.send(text)),
    forgets: () => void (world.session = undefined),
    beatsEvery(ms: number, isAnswered = true) {
      world.beatMs = ms
      world.answersBeats = isAnswered
    },
  }
}

const refused = (status: number, code: number, message: string): Answered => ({
  status,
  body: { code, message },
})

async function answerCall(world: World, asked: Asked): Promise<Answered | 'lost'> {
  const { method, headers, query } = asked
  const [, place = '', id = ''] = asked.path.split('/')
  if (place === 'cdn') {
    const file = world.messages.flatMap(({ attachments }) => attachments).find((one) => one.id === id)
    return file ? { body: file.bytes } : { status: 404 }
  }
  const path = asked.path.replace(/^\/api\/v10/, '')
  if (headers.authorization !== `Bot ${botToken}`) return refused(401, 0, '401: Unauthorized')
  const { body, files } = await readBody(asked)
  world.calls.push({ method, path, body })
  for (const [end, answer] of world.scripted) {
    if (!path.endsWith(end)) continue
    world.scripted.delete(end)
    return answer
  }
  if (isSending(method, path)) return post(world, method, path, body, files)
  const [, kind = '', one = '', rest = '', last = ''] = path.split('/')
  if (path === '/users/@me') return { body: self }
  if (path === '/gateway/bot')
    return {
      body: {
        url: world.base.replace('http', 'ws'),
        shards: 1,
        session_start_limit: { total: 1_000, remaining: 999, reset_after: 0, max_concurrency: 1 },
      },
    }
  if (kind === 'interactions') {
    world.acknowledged.push(one)
    return { status: 204 }
  }
  if (kind === 'webhooks') {
    world.whispers.push({ token: rest, text: String(body.content) })
    return { body: { id: world.next() } }
  }
  const channel = channels.get(one)
  if (kind !== 'channels' || !channel) return refused(404, 10_003, 'Unknown Channel')
  if (rest === 'typing') return { status: 204 }
  if (rest === '') return { body: channel }
  const there = world.messages.filter((message) => message.channel === one)
  if (last !== '') {
    const message = there.find((each) => each.id === last)
    return message ? { body: messageJson(message, world.base) } : refused(404, 10_008, 'Unknown Message')
  }
  // Pages are small, so that there are several; the newest of a page is first.
  const after = there.filter((each) => BigInt(each.id) > BigInt(query.get('after') ?? 0)).slice(0, 2)
  return { body: after.toReversed().map((message) => withoutGuild(messageJson(message, world.base))) }
}

/** In an answer of REST there is no `guild_id`. */
function withoutGuild(json: Json): Json {
  return { ...json, guild_id: undefined }
}

async function readBody({ headers, body }: Asked): Promise<{ body: Json; files: Attached[] }> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/'))
    return { body: body.byteLength > 0 ? (JSON.parse(body.toString()) as Json) : {}, files: [] }
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const file = form.get('files[0]')
  const json = form.get('payload_json')
  const payload = JSON.parse(typeof json === 'string' ? json : '{}') as Json
  if (!(file instanceof File)) return { body: payload, files: [] }
  return {
    body: payload,
    files: [{ id: '0', name: file.name, bytes: Buffer.from(await file.arrayBuffer()) }],
  }
}

function post(world: World, method: string, path: string, body: Json, files: Attached[]): Answered | 'lost' {
  const [, , channel = '', , id = ''] = path.split('/')
  const slow = world.takeFault('slow-down')
  if (slow?.kind === 'slow-down')
    return {
      status: 429,
      headers: { 'retry-after': String(Math.ceil(slow.afterMs / 1_000)) },
      body: { message: 'You are being rate limited.', retry_after: slow.afterMs / 1_000, global: false },
    }
  if (world.takeFault('refused')) return refused(403, 50_001, 'Missing Access')
  const isLost = world.takeFault('lost-after') !== undefined
  const answered = write(world, method, channel, id, body, files)
  return isLost ? 'lost' : answered
}

function write(
  world: World,
  method: string,
  channel: string,
  id: string,
  body: Json,
  files: Attached[],
): Answered {
  if (!channels.has(channel)) return refused(404, 10_003, 'Unknown Channel')
  const problem = problemOf(body, files)
  if (problem) return refused(400, 50_035, problem)
  const content = {
    content: textOf(body.content),
    embeds: (body.embeds ?? []) as Json[],
    components: (body.components ?? []) as Json[],
    callsPeople: (body.allowed_mentions as { parse?: unknown[] } | undefined)?.parse?.length !== 0,
  }
  if (method === 'PATCH') {
    const message = world.messages.find((one) => one.id === id && one.channel === channel)
    if (!message || message.author.id !== self.id) return refused(404, 10_008, 'Unknown Message')
    Object.assign(message, content, { edited: timeOf(world.next()) })
    world.tell('MESSAGE_UPDATE', messageJson(message, world.base))
    return { body: messageJson(message, world.base) }
  }
  const nonce = textOf(body.nonce)
  const same = body.enforce_nonce === true ? world.nonces.get(nonce) : undefined
  if (same) return { body: messageJson(same, world.base) }
  const attachments = files.map((file) => ({ ...file, id: world.next() }))
  const message = world.store({ channel, author: self, ...content, attachments })
  world.nonces.set(nonce, message)
  return { body: messageJson(message, world.base) }
}

/** What Discord would say is wrong with it. */
function problemOf({ content, embeds, components, nonce }: Json, files: Attached[]): string | undefined {
  const text = textOf(content)
  const frames = (embeds ?? []) as Json[]
  if (text.length > 2_000) return 'content: Must be 2000 or fewer in length.'
  if (frames.some(({ description }) => String(description).length > 4_096)) return 'embeds: too long'
  if (text.trim() === '' && frames.length === 0 && files.length === 0) return 'Cannot send an empty message'
  if (textOf(nonce).length > 25) return 'nonce: Must be 25 or fewer in length.'
  const rows = (components ?? []) as Json[]
  const buttons = rows.flatMap((row) => row.components as Json[])
  if (rows.length > 5 || rows.some((row) => (row.components as Json[]).length > 5)) return 'components'
  if (buttons.some(({ label, custom_id }) => !isLong(label, 80) || !isLong(custom_id, 100))) return 'button'
  if (new Set(buttons.map(({ custom_id }) => custom_id)).size !== buttons.length) return 'custom_id'
  return undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const isLong = (text: unknown, most: number): boolean =>
  typeof text === 'string' && text.length > 0 && text.length <= most
