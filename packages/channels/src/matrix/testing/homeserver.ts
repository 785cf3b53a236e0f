/**
 * Owns a homeserver that speaks the client-server interface as Matrix 1.11 has it: long polls with a stream that goes
 * on, events taken once for each transaction of a device, and keys that are handed from device to device.
 */

import type { Fault } from '../../testing/platform.ts'
import {
  type Answered,
  type Asked,
  openScriptedServer,
  type ScriptedServer,
} from '../../testing/scripted-server.ts'

export interface StoredEvent {
  readonly type: string
  readonly event_id: string
  readonly sender: string
  readonly origin_server_ts: number
  readonly content: Readonly<Record<string, unknown>>
  readonly state_key?: string
  readonly redacts?: string
}

interface ServerRoom {
  readonly id: string
  readonly timeline: { readonly position: number; readonly event: StoredEvent }[]
}

interface Signed {
  readonly signatures: Readonly<Record<string, Readonly<Record<string, string>>>>
}

interface ServerUser {
  readonly id: string
  readonly device: string
  readonly token: string
  readonly inbox: { position: number; readonly event: unknown }[]
  keys: Readonly<Record<string, unknown>> | null
  keysAt: number
  /** The keys by which a user signs their devices. */
  owner?: Readonly<Record<string, unknown>>
  oneTime: Map<string, unknown>
  fallback: Map<string, unknown>
}

export interface TestHomeserver extends ScriptedServer {
  readonly address: string
  readonly media: Map<string, Uint8Array>
  addUser(id: string, device: string, token: string): void
  addRoom(id: string, members: readonly string[], state?: readonly (readonly [string, object])[]): void
  invite(room: string, by: string, whom: string, isDirect: boolean): void
  members(room: string): string[]
  append(room: string, sender: string, type: string, content: object, more?: object): StoredEvent
  /** As if that user had asked over the wire. */
  act(user: string, method: string, path: string, body: unknown): unknown
  upload(bytes: Uint8Array): string
  /** What came to a device since it was asked last. */
  takeInbox(user: string): unknown[]
  counts(user: string): Record<string, number>
  /** How many keys have signed a device. */
  signatures(user: string): number
  releaseKeys(): void
  /** Tells everything once more. */
  replay(): void
  fail(fault: Fault): void
  /** True, and what comes to devices is not told over the wire. */
  holdsKeys: boolean
  /** Told of every event in a room. */
  onEvent: (room: string, event: StoredEvent) => void
  /** Told whose inbox is not empty. */
  onInbox: (user: string) => void
  readonly asked: readonly { readonly method: string; readonly path: string; readonly body: unknown }[]
}

class Refusal extends Error {
  readonly answered: Answered

  constructor(status: number, errcode: string, more: object = {}) {
    super(errcode)
    this.answered = { status, body: { errcode, error: 'No.', ...more } }
  }
}

const limit = 50

export async function openTestHomeserver(): Promise<TestHomeserver> {
  const users = new Map<string, ServerUser>()
  const rooms = new Map<string, ServerRoom>()
  const media = new Map<string, Uint8Array>()
  const transactions = new Map<string, unknown>()
  const asked: { method: string; path: string; body: unknown }[] = []
  let waiters: (() => void)[] = []
  let position = 1
  let replays = false
  let fault: Fault | undefined
  const started = Date.now()

  function moved(): number {
    position += 1
    const all = waiters
    waiters = []
    for (const wake of all) setImmediate(wake)
    return position
  }

  function take<Kind extends Fault['kind']>(kind: Kind): Extract<Fault, { kind: Kind }> | undefined {
    if (fault?.kind !== kind) return undefined
    const taken = fault as Extract<Fault, { kind: Kind }>
    fault = undefined
    return taken
  }

  const isSend = (path: string) => /\/rooms\/[^/]+\/send\//.test(path)

  const server = await openScriptedServer({
    losesBefore: (method, path) => method === 'PUT' && isSend(path) && take('lost-before') !== undefined,
    async answer(request) {
      try {
        const answered = await route(request)
        if (request.method === 'PUT' && isSend(request.path) && take('lost-after')) return 'lost'
        return answered
      } catch (error) {
        if (error instanceof Refusal) return error.answered
        throw error
      }
    },
    line: (line) => line.terminate(),
  })

  async function route(request: Asked): Promise<Answered> {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const user = [...users.values()].find((one) => one.token === token)
    if (!user) throw new Refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false })
    const parts = request.path.split('/').slice(2).map(decodeURIComponent)
    const [kind, version, area, server, id] = parts
    if (kind === 'media' && version === 'v3' && area === 'upload')
      return { body: { content_uri: store(request.body) } }
    if (kind === 'client' && version === 'v1' && area === 'media') {
      const bytes = media.get(`mxc://${id}/${parts[5]}`)
      if (server !== 'download' || !bytes) throw new Refusal(404, 'M_NOT_FOUND')
      return { body: bytes }
    }
    if (parts.slice(2).join('/') === 'sync') return { body: await sync(user, request.query) }
    const body: unknown = request.body.length > 0 ? JSON.parse(request.body.toString()) : {}
    asked.push({ method: request.method, path: request.path, body })
    return { body: act(user.id, request.method, parts.slice(2).join('\n'), body, request.query) }
  }

  function store(bytes: Uint8Array): string {
    const address = `mxc://example.org/media${media.size}`
    media.set(address, new Uint8Array(bytes))
    return address
  }

  function userOf(id: string): ServerUser {
    const user = users.get(id)
    if (!user) throw new Refusal(404, 'M_NOT_FOUND')
    return user
  }

  /** The parts of the path are apart by line ends. */
  function act(
    id: string,
    method: string,
    path: string,
    body: unknown,
    query = new URLSearchParams(),
  ): unknown {
    const user = userOf(id)
    const parts = path.split('\n')
    const given = body as Readonly<Record<string, never>>
    switch (`${method} ${parts.slice(0, 2).join('/')}`) {
      case 'GET account/whoami':
        return { user_id: user.id, device_id: user.device, is_guest: false }
      case 'POST keys/upload':
        return uploadKeys(user, given)
      case 'POST keys/query':
        return queryKeys(given['device_keys'] ?? {})
      case 'POST keys/claim':
        return claimKeys(given['one_time_keys'] ?? {})
      case 'POST keys/device_signing':
        // A first upload needs no password.
        if (user.owner) throw new Refusal(401, 'M_UNAUTHORIZED', { flows: [] })
        user.owner = given
        user.keysAt = moved()
        return {}
      case 'POST keys/signatures':
        addSignatures(user, given)
        return { failures: {} }
    }
    if (parts[0] === 'sendToDevice') return sendToDevice(user, parts[1] ?? '', given['messages'] ?? {})
    if (parts[0] === 'rooms') return inRoom(user, method, parts.slice(1), body, query)
    throw new Refusal(404, 'M_UNRECOGNIZED')
  }

  function uploadKeys(user: ServerUser, body: Readonly<Record<string, Record<string, unknown>>>): unknown {
    if (body['device_keys']) {
      if (user.keys && JSON.stringify(user.keys['keys']) !== JSON.stringify(body['device_keys']['keys']))
        throw new Refusal(400, 'M_INVALID_PARAM')
      user.keys = body['device_keys']
      user.keysAt = moved()
    }
    for (const [key, value] of Object.entries(body['one_time_keys'] ?? {})) user.oneTime.set(key, value)
    for (const [key, value] of Object.entries(body['fallback_keys'] ?? {})) user.fallback.set(key, value)
    return { one_time_key_counts: counts(user) }
  }

  function addSignatures(user: ServerUser, body: Readonly<Record<string, Record<string, Signed>>>): void {
    const signed = body[user.id]?.[user.device]
    if (!signed || !user.keys) return
    const before = (user.keys as unknown as Signed).signatures[user.id]
    const signatures = { [user.id]: { ...before, ...signed.signatures[user.id] } }
    user.keys = { ...user.keys, signatures }
    user.keysAt = moved()
  }

  const counts = ({ oneTime }: ServerUser) => ({ signed_curve25519: oneTime.size })

  function queryKeys(wanted: Readonly<Record<string, unknown>>): unknown {
    const found = Object.keys(wanted).flatMap((id) => {
      const user = users.get(id)
      return user?.keys ? [[id, { [user.device]: user.keys }]] : []
    })
    const owners = (name: string) =>
      Object.fromEntries(
        Object.keys(wanted).flatMap((id) => {
          const key = users.get(id)?.owner?.[name]
          return key === undefined ? [] : [[id, key]]
        }),
      )
    return {
      device_keys: Object.fromEntries(found),
      master_keys: owners('master_key'),
      self_signing_keys: owners('self_signing_key'),
      failures: {},
    }
  }

  function claimKeys(wanted: Readonly<Record<string, Readonly<Record<string, string>>>>): unknown {
    const found = Object.keys(wanted).flatMap((id) => {
      const user = users.get(id)
      const one = user ? ([...user.oneTime][0] ?? [...user.fallback][0]) : undefined
      if (!user || !one) return []
      user.oneTime.delete(one[0])
      return [[id, { [user.device]: Object.fromEntries([one]) }]]
    })
    return { one_time_keys: Object.fromEntries(found), failures: {} }
  }

  function sendToDevice(
    from: ServerUser,
    type: string,
    messages: Record<string, Record<string, unknown>>,
  ): unknown {
    for (const [id, devices] of Object.entries(messages))
      for (const content of Object.values(devices)) {
        users.get(id)?.inbox.push({ position: moved(), event: { type, sender: from.id, content } })
        onInbox(id)
      }
    return {}
  }

  function membership(room: ServerRoom, user: string): string {
    const standing = stateOf(room, 'm.room.member', user)?.content['membership']
    return typeof standing === 'string' ? standing : 'leave'
  }

  function stateOf(room: ServerRoom, type: string, key: string): StoredEvent | undefined {
    return room.timeline.findLast(({ event }) => event.type === type && event.state_key === key)?.event
  }

  function membersOf(room: ServerRoom): string[] {
    const all = room.timeline.flatMap(({ event }) =>
      event.type === 'm.room.member' && event.state_key !== undefined ? [event.state_key] : [],
    )
    return [...new Set(all)].filter((id) => ['join', 'invite'].includes(membership(room, id)))
  }

  function inRoom(
    user: ServerUser,
    method: string,
    [id = '', what, first = '', second = '']: readonly string[],
    body: unknown,
    query: URLSearchParams,
  ): unknown {
    const room = rooms.get(id)
    const standing = room ? membership(room, user.id) : 'leave'
    if (!room || standing === 'leave') throw new Refusal(403, 'M_FORBIDDEN')
    if (method === 'POST' && what === 'join') {
      append(id, user.id, 'm.room.member', { membership: 'join' }, { state_key: user.id })
      return { room_id: id }
    }
    if (standing !== 'join') throw new Refusal(403, 'M_FORBIDDEN')
    switch (`${method} ${what}`) {
      case 'GET members':
        return {
          chunk: [...new Set(membersOf(room))].map((one) => stateOf(room, 'm.room.member', one)),
        }
      case 'GET state': {
        const state = stateOf(room, first, '')
        if (!state) throw new Refusal(404, 'M_NOT_FOUND')
        return state.content
      }
      case 'GET event': {
        const found = room.timeline.find(({ event }) => event.event_id === first)
        if (!found) throw new Refusal(404, 'M_NOT_FOUND')
        return found.event
      }
      case 'GET messages': {
        const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
        const older = room.timeline.filter((one) => one.position < from && one.position > to)
        const page = older.slice(-Number(query.get('limit') ?? 10)).reverse()
        const end = page.at(-1)?.position
        return {
          chunk: page.map(({ event }) => event),
          start: String(from),
          ...(page.length < older.length ? { end: String(end) } : {}),
        }
      }
      case 'PUT typing':
        return {}
      case 'PUT send':
        return send(user, id, first, second, body as Record<string, unknown>)
    }
    throw new Refusal(404, 'M_UNRECOGNIZED')
  }

  function send(
    user: ServerUser,
    room: string,
    type: string,
    transaction: string,
    content: Record<string, unknown>,
  ) {
    const slow = take('slow-down')
    if (slow) throw new Refusal(429, 'M_LIMIT_EXCEEDED', { retry_after_ms: slow.afterMs })
    if (take('refused')) throw new Refusal(403, 'M_FORBIDDEN')
    const key = [user.device, room, type, transaction].join(' ')
    const before = transactions.get(key)
    if (before) return before
    if (Buffer.byteLength(JSON.stringify(content)) > 64_000) throw new Refusal(413, 'M_TOO_LARGE')
    const { event_id } = append(room, user.id, type, content)
    transactions.set(key, { event_id })
    return { event_id }
  }

  function append(
    room: string,
    sender: string,
    type: string,
    content: object,
    more: object = {},
  ): StoredEvent {
    const event: StoredEvent = {
      type,
      sender,
      event_id: `$event${position}_${crypto.randomUUID()}`,
      origin_server_ts: started + position,
      content: JSON.parse(JSON.stringify(content)) as Record<string, unknown>,
      ...more,
    }
    rooms.get(room)?.timeline.push({ position: moved(), event })
    homeserver.onEvent(room, event)
    return event
  }

  const onInbox = (user: string): void => homeserver.onInbox(user)

  async function sync(user: ServerUser, query: URLSearchParams): Promise<unknown> {
    const since = Number(query.get('since') ?? 0)
    const known = user.inbox.findIndex((one) => one.position > since)
    if (!homeserver.holdsKeys) user.inbox.splice(0, known === -1 ? user.inbox.length : known)
    if (!hasNews(user, since) && Number(query.get('timeout')) > 0)
      await new Promise<void>((wake) => waiters.push(wake))
    const from = replays && since > 0 ? 1 : since
    if (since > 0) replays = false
    return syncBody(user, since, from)
  }

  function hasNews(user: ServerUser, since: number): boolean {
    return (
      replays ||
      (user.inbox.length > 0 && !homeserver.holdsKeys) ||
      [...users.values()].some(({ keysAt }) => keysAt > since) ||
      [...rooms.values()].some((room) =>
        room.timeline.some((one) => one.position > since && isIn(room, user)),
      )
    )
  }

  const isIn = (room: ServerRoom, { id }: ServerUser) => membership(room, id) !== 'leave'

  function syncBody(user: ServerUser, since: number, from: number): unknown {
    const join: Record<string, unknown> = {}
    const invite: Record<string, unknown> = {}
    for (const room of rooms.values()) {
      const news = room.timeline.filter((one) => one.position > from)
      if (news.length === 0) continue
      if (membership(room, user.id) === 'invite')
        invite[room.id] = { invite_state: { events: [stateOf(room, 'm.room.member', user.id)] } }
      if (membership(room, user.id) !== 'join') continue
      const shown = from === since ? news.slice(-limit) : news
      join[room.id] = {
        state: { events: [] },
        timeline: {
          events: shown.map(({ event }) => event),
          limited: shown.length < news.length,
          prev_batch: String(shown[0]?.position ?? from),
        },
      }
    }
    const changed = [...users.values()].filter(({ keysAt }) => keysAt > since).map(({ id }) => id)
    return {
      next_batch: String(position),
      rooms: { join, invite },
      to_device: { events: homeserver.holdsKeys ? [] : user.inbox.map(({ event }) => event) },
      device_lists: { changed, left: [] },
      device_one_time_keys_count: counts(user),
      device_unused_fallback_key_types: [...user.fallback.keys()].map(() => 'signed_curve25519'),
    }
  }

  const homeserver: TestHomeserver = {
    ...server,
    address: `http://127.0.0.1:${server.port}`,
    media,
    asked,
    holdsKeys: false,
    onEvent: () => undefined,
    onInbox: () => undefined,
    addUser: (id, device, token) =>
      void users.set(id, {
        id,
        device,
        token,
        inbox: [],
        keys: null,
        keysAt: 0,
        oneTime: new Map(),
        fallback: new Map(),
      }),
    addRoom(id, members, state = []) {
      rooms.set(id, { id, timeline: [] })
      for (const member of members)
        append(id, member, 'm.room.member', { membership: 'join' }, { state_key: member })
      for (const [type, content] of state) append(id, members[0] ?? '', type, content, { state_key: '' })
    },
    invite(room, by, whom, isDirect) {
      const content = { membership: 'invite', ...(isDirect ? { is_direct: true } : {}) }
      append(room, by, 'm.room.member', content, { state_key: whom })
    },
    members: (id) => {
      const room = rooms.get(id)
      return room ? membersOf(room).filter((one) => membership(room, one) === 'join') : []
    },
    append,
    act: (user, method, path, body) => act(user, method, path, body),
    upload: store,
    takeInbox: (user) =>
      userOf(user)
        .inbox.splice(0)
        .map(({ event }) => event),
    signatures: (user) => {
      const keys = userOf(user).keys as unknown as Signed | null
      return Object.keys(keys?.signatures[user] ?? {}).length
    },
    counts: (user) => counts(userOf(user)),
    releaseKeys() {
      homeserver.holdsKeys = false
      // As if they had come only now.
      const late = [...users.values()].flatMap(({ inbox }) => inbox)
      const now = moved()
      for (const one of late) one.position = now
    },
    replay() {
      replays = true
      moved()
    },
    fail(next) {
      fault = next
    },
  }
  return homeserver
}
