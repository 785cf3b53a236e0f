/**
 * Owns a workspace of Slack on this computer, written from its documentation: the methods of the Web API that we call,
 * and Socket Mode, which sends again what was not answered for.
 */
import type { WebSocket } from 'ws'
import type { Fault, Person, SaidOptions, TestChat, TestPlatform } from '../../testing/platform.ts'
import { type Answered, type Asked, openScriptedServer } from '../../testing/scripted-server.ts'
import { blockProblem, encode, type Json, type StoredFile, type StoredMessage, shownOf } from './workspace.ts'

const team = 'T0TEAM'
const self = { user: 'U0BOT', bot: 'B0BOT' }
const botToken = 'xoxb-1-secret-a'
const appToken = 'xapp-1-secret-a'

export interface SlackPlatform extends TestPlatform {
  /** Tells it as an event, whatever it is. */
  tells(event: Json): void
  /** Sends an envelope as it stands. */
  sends(text: string): void
  /** Asks the adapter to connect anew, as Slack does now and then, and closes the old connection after it did. */
  refreshes(): Promise<void>
  /** Slack does not repeat any more what was not answered for. */
  forgets(): void
  /** What whoever pressed a button was told. */
  readonly whispers: readonly { readonly chat: string; readonly user: string; readonly text: string }[]
  /** How many lines are open. */
  lines(): number
  /** What was answered for, by the id of the event. */
  readonly acknowledged: ReadonlySet<string>
  readonly calls: readonly { readonly method: string; readonly args: Readonly<Record<string, string>> }[]
  /** The next call of a method is answered so. */
  answers(method: string, answer: Answered): void
}

interface Pending {
  readonly id: string
  readonly type: 'events_api' | 'interactive' | 'slash_commands'
  readonly payload: Json
  attempts: number
}

export async function openSlackPlatform(): Promise<SlackPlatform> {
  const world = createWorld()
  const { lines } = world
  const server = await openScriptedServer({
    losesBefore: (_, path) => world.isHit(path) && world.takeFault('lost-before') !== undefined,
    answer: (asked) => answerCall(world, asked),
    line: (line, _, query) => world.greet(line, query.get('ticket') ?? ''),
  })
  world.base = `http://127.0.0.1:${server.port}`
  const chats: Record<string, TestChat> = {
    ana: { id: 'D0ANA', kind: 'private' },
    ben: { id: 'D0BEN', kind: 'private' },
    group: { id: 'C0GROUP', kind: 'group' },
  }
  const { ana, ben, group } = chats
  if (!ana || !ben || !group) throw new Error('There are three chats.')
  const people = {
    ana: { id: `${team}:U0ANA`, name: 'Ana' },
    ben: { id: `${team}:U0BEN`, name: 'Ben' },
    bot: { id: `${team}:U0OTHERBOT`, name: 'Other' },
  }
  const thread = world.store(group.id, { user: 'U0BEN', text: 'A thread begins.' }).ts
  return {
    settings: { apiUrl: `${world.base}/api/` },
    secrets: { appToken, botToken },
    people,
    chats: { ana, ben, group },
    thread,
    nowhere: 'D0NOWHERE',
    ...acts(world),
    whispers: world.whispers,
    acknowledged: world.acknowledged,
    calls: world.calls,
    shown: (chat) =>
      (world.messages.get(chat.id) ?? [])
        .filter(({ bot }) => bot === self.bot)
        .map((one) => shownOf(chat.id, one)),
    fail: (fault) => void (world.fault = fault),
    lines: () => lines.size,
    answers: (method, answer) => void world.scripted.set(method, answer),
    ...server,
    async close() {
      world.isOver = true
      await server.close()
    },
  }
}

type World = ReturnType<typeof createWorld>

function createWorld() {
  let clock = Math.floor(Date.now() / 1_000)
  let count = 0
  const world = {
    base: '',
    isOver: false,
    fault: undefined as Fault | undefined,
    names: new Map([
      ['U0ANA', 'Ana'],
      ['U0BEN', 'Ben'],
    ]),
    messages: new Map<string, StoredMessage[]>([
      ['D0ANA', []],
      ['D0BEN', []],
      ['C0GROUP', []],
    ]),
    files: new Map<string, StoredFile>(),
    tickets: new Set<string>(),
    lines: new Set<WebSocket>(),
    pending: [] as Pending[],
    told: [] as Pending[],
    acknowledged: new Set<string>(),
    whispers: [] as { chat: string; user: string; text: string }[],
    calls: [] as { method: string; args: Record<string, string> }[],
    scripted: new Map<string, Answered>(),
    next: (prefix: string) => `${prefix}${String((count += 1)).padStart(6, '0')}`,
    now: () => `${(clock += 1)}.${String((count += 1)).padStart(6, '0')}`,
    isHit: (path: string) => /\/(chat\.(postMessage|update)|files\.completeUploadExternal)$/.test(path),
    takeFault(kind: Fault['kind']): Fault | undefined {
      const { fault } = world
      if (fault?.kind !== kind) return undefined
      world.fault = undefined
      return fault
    },
    store(chat: string, message: Partial<StoredMessage> & { user: string; text: string }): StoredMessage {
      const stored: StoredMessage = {
        ts: world.now(),
        bot: null,
        thread: null,
        blocks: [],
        edited: null,
        files: [],
        shares: null,
        ...message,
      }
      world.messages.get(chat)?.push(stored)
      return stored
    },
    tell(type: Pending['type'], payload: Json): void {
      const one: Pending = { id: world.next('E'), type, payload, attempts: 0 }
      world.pending.push(one)
      world.told.push(one)
      world.deliver(one)
    },
    tellEvent(event: Json): void {
      world.tell('events_api', { team_id: team, type: 'event_callback', event_id: world.next('Ev'), event })
    },
    deliver(one: Pending): void {
      const line = [...world.lines].at(-1)
      if (!line) return
      const retry = one.attempts > 0 ? { retry_attempt: one.attempts, retry_reason: 'timeout' } : {}
      one.attempts += 1
      const { id, type, payload } = one
      line.send(JSON.stringify({ envelope_id: `${id}.${one.attempts}`, type, payload, ...retry }))
      // What is not answered for soon is sent again, sooner than by Slack itself.
      if (one.attempts < 3)
        setTimeout(() => {
          if (world.pending.includes(one) && !world.isOver) world.deliver(one)
        }, 400).unref()
    },
    greet(line: WebSocket, ticket: string): void {
      if (!world.tickets.delete(ticket)) return line.close(1008, 'no ticket')
      world.lines.add(line)
      line.on('close', () => world.lines.delete(line))
      line.on('message', (data) => {
        const { envelope_id } = JSON.parse((data as Buffer).toString()) as { envelope_id: string }
        const id = envelope_id.replace(/\.\d+$/, '')
        const at = world.pending.findIndex((one) => one.id === id)
        if (at !== -1) world.pending.splice(at, 1)
        world.acknowledged.add(id)
      })
      line.send(
        JSON.stringify({
          type: 'hello',
          num_connections: world.lines.size,
          connection_info: { app_id: 'A0' },
        }),
      )
      for (const one of world.pending.slice()) {
        one.attempts = 0
        world.deliver(one)
      }
    },
  }
  return world
}

const userOf = (who: Person): string => who.id.slice(team.length + 1)
const tsOf = (message: string): string => message.slice(message.indexOf(':') + 1)

/** As it is told of, and as it stands in the history. */
export function messageJson(message: StoredMessage, base: string): Json {
  return {
    type: 'message',
    ...(message.bot === null ? {} : { bot_id: message.bot }),
    user: message.user,
    team,
    ts: message.ts,
    text: message.text,
    ...(message.thread === null ? {} : { thread_ts: message.thread }),
    ...(message.edited === null ? {} : { edited: { user: message.user, ts: message.edited } }),
    ...(message.shares === null ? {} : { attachments: [{ is_share: true, text: message.shares }] }),
    ...(message.files.length === 0
      ? {}
      : { subtype: 'file_share', files: message.files.map((file) => fileJson(file, base)) }),
  }
}

function fileJson({ id, name, bytes, voice }: StoredFile, base: string): Json {
  const url = `${base}/files-pri/${id}/${encodeURIComponent(name.toWellFormed())}`
  return {
    id,
    name,
    size: bytes.byteLength,
    mode: 'hosted',
    url_private: url,
    url_private_download: url,
    ...(voice ? { subtype: 'slack_audio' } : {}),
  }
}

function acts(world: World) {
  const typeOf = (chat: TestChat) => (chat.kind === 'private' ? 'im' : 'channel')

  function find(chat: TestChat, message: string): StoredMessage {
    const found = world.messages.get(chat.id)?.find(({ ts }) => ts === tsOf(message))
    if (!found) throw new Error(`There is no message ${message}.`)
    return found
  }
  function tellMessage(chat: TestChat, message: StoredMessage, isMention: boolean): void {
    const parent = world.messages.get(chat.id)?.find(({ ts }) => ts === message.thread)
    const json = {
      ...messageJson(message, world.base),
      channel: chat.id,
      event_ts: message.ts,
      ...(parent ? { parent_user_id: parent.user } : {}),
    }
    world.tellEvent({ ...json, channel_type: typeOf(chat) })
    // Who follows both is told of a mention twice.
    if (isMention) world.tellEvent({ ...json, type: 'app_mention' })
  }
  return {
    async says(who: Person, chat: TestChat, text: string, options: SaidOptions = {}): Promise<string> {
      const user = userOf(who)
      world.names.set(user, who.name)
      const mention = options.addressed && chat.kind === 'group' ? `<@${self.user}> ` : ''
      const answered = options.answers ? tsOf(options.answers) : null
      const files: StoredFile[] = options.file
        ? [{ id: world.next('F'), voice: false, ...options.file, bytes: Buffer.from(options.file.bytes) }]
        : []
      for (const file of files) world.files.set(file.id, file)
      const message = world.store(chat.id, {
        user,
        bot: user === 'U0OTHERBOT' ? 'B0OTHER' : null,
        text: options.forwarded ? '' : `${mention}${encode(text)}`,
        shares: options.forwarded ? encode(text) : null,
        thread: options.thread ?? answered,
        files,
      })
      tellMessage(chat, message, mention !== '')
      return `${chat.id}:${message.ts}`
    },
    async edits(_: Person, chat: TestChat, id: string, text: string): Promise<void> {
      const message = find(chat, id)
      const before = messageJson(message, world.base)
      message.text = encode(text)
      message.edited = world.now()
      world.tellEvent({
        type: 'message',
        subtype: 'message_changed',
        hidden: true,
        channel: chat.id,
        channel_type: typeOf(chat),
        ts: world.now(),
        message: messageJson(message, world.base),
        previous_message: before,
      })
    },
    async deletes(_: Person, chat: TestChat, id: string): Promise<void> {
      const message = find(chat, id)
      const ts = world.now()
      world.messages.set(
        chat.id,
        (world.messages.get(chat.id) ?? []).filter((one) => one !== message),
      )
      world.tellEvent({
        type: 'message',
        subtype: 'message_deleted',
        hidden: true,
        channel: chat.id,
        channel_type: typeOf(chat),
        ts,
        event_ts: ts,
        deleted_ts: message.ts,
        previous_message: messageJson(message, world.base),
      })
    },
    async presses(who: Person, chat: TestChat, id: string, data: string): Promise<void> {
      const message = find(chat, id)
      world.tell('interactive', {
        type: 'block_actions',
        team: { id: team, domain: 'test' },
        user: { id: userOf(who), username: who.name, team_id: team },
        container: { type: 'message', message_ts: message.ts, channel_id: chat.id, is_ephemeral: false },
        channel: { id: chat.id, name: 'directmessage' },
        message: messageJson(message, world.base),
        actions: [{ type: 'button', action_id: 'button-0', value: data, action_ts: world.now() }],
      })
    },
    async repeats(): Promise<void> {
      for (const one of world.told) {
        one.attempts = 1
        world.deliver(one)
      }
    },
    tells: (event: Json) => world.tellEvent(event),
    sends: (text: string) => world.lines.forEach((line) => line.send(text)),
    forgets: () => void (world.pending = []),
    async refreshes(): Promise<void> {
      const old = [...world.lines]
      for (const line of old) line.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }))
      const end = performance.now() + 15_000
      while (![...world.lines].some((line) => !old.includes(line))) {
        if (performance.now() > end) throw new Error('No new connection came.')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      for (const line of old) line.close()
    },
  }
}

const refused = (error: string): Answered => ({ body: { ok: false, error } })
const granted = (data: Json = {}): Answered => ({ body: { ok: true, ...data } })

function answerCall(world: World, { path, headers, body }: Asked): Answered | 'lost' {
  const bearer = (headers.authorization ?? '').replace(/^Bearer /, '')
  const [, place = '', name = ''] = path.split('/')
  if (place === 'upload') {
    const file = world.files.get(name)
    if (file) file.bytes = body
    return file ? { body: Buffer.from('OK') } : { status: 404 }
  }
  if (place === 'files-pri') {
    const file = world.files.get(name)
    // Without a token that may read it there is a page to sign in.
    if (bearer !== botToken) return { status: 302, headers: { location: '/signin' } }
    return file ? { body: file.bytes } : { status: 404 }
  }
  const args = Object.fromEntries(new URLSearchParams(body.toString()))
  world.calls.push({ method: name, args })
  const scripted = world.scripted.get(name)
  if (scripted) {
    world.scripted.delete(name)
    return scripted
  }
  if (name === 'apps.connections.open') {
    if (bearer !== appToken) return refused('invalid_auth')
    const ticket = world.next('ticket')
    world.tickets.add(ticket)
    return granted({ url: `${world.base.replace('http', 'ws')}/link/?ticket=${ticket}` })
  }
  if (bearer !== botToken) return refused('invalid_auth')
  if (world.isHit(path)) {
    const slow = world.takeFault('slow-down')
    if (slow?.kind === 'slow-down')
      return {
        status: 429,
        headers: { 'retry-after': String(slow.afterMs / 1_000) },
        body: { ok: false, error: 'ratelimited' },
      }
    if (world.takeFault('refused')) return refused('is_archived')
    const isLost = world.takeFault('lost-after') !== undefined
    const answered = post(world, name, args)
    return isLost ? 'lost' : answered
  }
  return ask(world, name, args)
}

function post(world: World, method: string, args: Record<string, string>): Answered {
  const { channel = args.channel_id ?? '', text = '', thread_ts: thread = null } = args
  const messages = world.messages.get(channel)
  if (!messages) return refused('channel_not_found')
  const blocks = JSON.parse(args.blocks ?? '[]') as Json[]
  const problem = blockProblem(blocks)
  if (problem) return refused(`invalid_blocks (${problem})`)
  if (text.length > 40_000) return refused('msg_too_long')
  if (method === 'files.completeUploadExternal') {
    const [{ id = '' } = {}] = JSON.parse(args.files ?? '[]') as { id?: string }[]
    const file = world.files.get(id)
    if (!file) return refused('file_not_found')
    world.store(channel, { ...self, text, blocks, thread, files: [file] })
    return granted({ files: [{ id }] })
  }
  if (text.trim() === '' && blocks.length === 0) return refused('no_text')
  if (method === 'chat.update') {
    const message = messages.find(({ ts, bot }) => ts === args.ts && bot === self.bot)
    if (!message) return refused('message_not_found')
    const before = messageJson(message, world.base)
    Object.assign(message, { text, blocks, edited: world.now() })
    world.tellEvent({
      type: 'message',
      subtype: 'message_changed',
      channel,
      ts: world.now(),
      message: messageJson(message, world.base),
      previous_message: before,
    })
    return granted({ channel, ts: message.ts, text })
  }
  const message = world.store(channel, { ...self, text, blocks, thread })
  // Whoever follows a channel is also told what they said there themselves.
  world.tellEvent({ ...messageJson(message, world.base), channel })
  return granted({ channel, ts: message.ts })
}

function ask(world: World, method: string, args: Record<string, string>): Answered {
  const { channel = '' } = args
  switch (method) {
    case 'auth.test':
      return granted({
        team_id: team,
        team: 'Test',
        user_id: self.user,
        user: 'countersign',
        bot_id: self.bot,
      })
    case 'users.info': {
      const name = world.names.get(args.user ?? '')
      if (name === undefined) return refused('user_not_found')
      return granted({
        user: { id: args.user, name: 'someone', real_name: name, profile: { display_name: name } },
      })
    }
    case 'conversations.info':
      return world.messages.has(channel)
        ? granted({ channel: { id: channel, name: 'general' } })
        : refused('channel_not_found')
    case 'conversations.history':
      return history(world, args)
    case 'files.info': {
      const file = world.files.get(args.file ?? '')
      return file ? granted({ file: fileJson(file, world.base) }) : refused('file_not_found')
    }
    case 'files.getUploadURLExternal': {
      const id = world.next('F')
      world.files.set(id, { id, name: args.filename ?? '', bytes: Buffer.alloc(0), voice: false })
      return granted({ upload_url: `${world.base}/upload/${id}`, file_id: id })
    }
    case 'chat.postEphemeral':
      world.whispers.push({ chat: channel, user: args.user ?? '', text: args.text ?? '' })
      return granted({ message_ts: world.now() })
    default:
      return refused('unknown_method')
  }
}

/** The newest first, a page at a time. */
function history(world: World, args: Record<string, string>): Answered {
  const messages = world.messages.get(args.channel ?? '')
  if (!messages) return refused('channel_not_found')
  const all = messages
    .filter(({ ts, thread }) => Number(ts) > Number(args.oldest ?? 0) && (thread === null || thread === ts))
    .toReversed()
  const from = Number(args.cursor ?? 0)
  // Pages are small, so that there are several.
  const to = from + Math.min(Number(args.limit ?? 100), 2)
  return granted({
    messages: all.slice(from, to).map((message) => messageJson(message, world.base)),
    has_more: to < all.length,
    response_metadata: { next_cursor: to < all.length ? String(to) : '' },
  })
}
