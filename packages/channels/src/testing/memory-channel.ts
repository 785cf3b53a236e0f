/**
 * Owns a platform without a wire and the channel to it: the cases are tried on it before they are put to real ones. Each
 * flaw is one that a real adapter could have; the cases must see it.
 */
import { z } from 'zod'
import { type ChannelConnection, type ChannelContext, RejectedError } from '../frame/adapter.ts'
import type { InboundEvent } from '../frame/events.ts'
import type { ChannelManifest } from '../frame/manifest.ts'
import type { OutboundMessage, SendResult } from '../frame/protocol.ts'
import type { Fault, Shown, TestChat, TestPlatform } from './platform.ts'
import type { AnyAdapter } from './test-gateway.ts'

export type Flaw =
  | 'acknowledges-before-taken'
  | 'sends-twice'
  | 'new-ids-when-repeated'
  | 'hears-itself'
  | 'says-sent-when-lost'
  | 'says-later-when-only-the-answer-was-lost'
  | 'sends-control-characters'
  | 'hides-targets'
  | 'always-addressed'
  | 'stops-at-refusal'
  | 'skips-while-away'
  | 'proves-nobody'

export const memoryWithout = {
  threads: 'It has no threads.',
  bots: 'It has no programs but us.',
  presses: 'Nobody presses anything.',
  edits: 'Nobody changes anything.',
  deletes: 'Nobody takes anything back.',
  voice: 'Nobody speaks.',
  forwarded: 'Nobody passes anything on.',
  'files-in': 'Nobody brings anything.',
} as const

const manifest: ChannelManifest = {
  kind: 'memory',
  title: 'Memory',
  about: 'Keeps everything in this process.',
  steps: ['Nothing is to be done.'],
  settings: z.strictObject({}),
  secrets: [{ name: 'word', label: 'The word' }],
  text: { most: 1_000, unit: 'characters' },
  files: null,
  can: { edit: false, typing: true, buttons: false, groups: true },
  sendsOnce: false,
  proves: 'sender',
  decides: 2,
  web: false,
  direction: 'both',
}

/** What the platform keeps. Whoever asks while it is away, or holds an old connection, gets an error. */
interface Server {
  events: InboundEvent[]
  acknowledged: Set<string>
  shown: Map<string, Shown[]>
  fault: Fault | undefined
  isAway: boolean
  connections: number
}

type Context = ChannelContext<Readonly<Record<string, unknown>>>

export function memoryChannel(flaw?: Flaw): { adapter: AnyAdapter; open: () => Promise<TestPlatform> } {
  const server: Server = {
    events: [],
    acknowledged: new Set(),
    shown: new Map(),
    fault: undefined,
    isAway: false,
    connections: 0,
  }
  return {
    adapter: { manifest, open: (context) => openMemory(server, context, flaw) },
    open: async () => memoryPlatform(server, flaw),
  }
}

const account = { id: 'us', name: 'memorybot' }

async function openMemory(server: Server, context: Context, flaw?: Flaw): Promise<ChannelConnection> {
  if (context.secrets['word'] !== 'right') throw new RejectedError('The word is wrong.')
  const started = server.events.length
  const taken = new Set<string>()
  const busy = new Set<string>()
  let connection = -1

  async function taking(event: InboundEvent): Promise<void> {
    if (flaw === 'acknowledges-before-taken') server.acknowledged.add(event.id)
    for (;;) {
      try {
        await context.take(event)
        break
      } catch {
        if (context.signal.aborted) return
        await pause(5)
      }
    }
    taken.add(event.id)
    server.acknowledged.add(event.id)
  }

  async function takingChat(chat: string, events: InboundEvent[]): Promise<void> {
    busy.add(chat)
    for (const event of events) if (!context.signal.aborted) await taking(event)
    busy.delete(chat)
  }

  function look(): void {
    if (server.isAway) {
      if (connection !== -2) context.disconnected('It is away.')
      connection = -2
      return
    }
    if (connection !== server.connections) context.connected(account)
    connection = server.connections
    if (flaw === 'stops-at-refusal' && busy.size > 0) return
    const fresh = server.events.filter(
      ({ id }, index) =>
        !taken.has(id) && !server.acknowledged.has(id) && !(flaw === 'skips-while-away' && index < started),
    )
    for (const [chat, events] of Map.groupBy(fresh, (event) => event.chat.id))
      if (!busy.has(chat)) void takingChat(chat, events)
  }

  const timer = setInterval(look, 2)
  return {
    send: async (message) => send(server, message, flaw),
    typing: async () => undefined,
    async close() {
      clearInterval(timer)
    },
  }
}

function send(server: Server, message: OutboundMessage, flaw?: Flaw): SendResult {
  const { fault } = server
  if (server.isAway) return { kind: 'later', afterMs: null, problem: 'It is away.' }
  server.fault = undefined
  if (fault?.kind === 'slow-down') return { kind: 'later', afterMs: fault.afterMs, problem: 'Slow down.' }
  if (fault?.kind === 'refused') return { kind: 'refused', problem: 'No.' }
  if (fault?.kind === 'lost-before')
    return flaw === 'says-sent-when-lost'
      ? { kind: 'sent', message: 'm0' }
      : { kind: 'unknown', problem: 'It was lost.' }
  const chat = server.shown.get(message.chat)
  if (!chat) return { kind: 'refused', problem: 'There is no such chat.' }
  const clean = flaw === 'sends-control-characters' ? message.text : cleanText(message.text)
  const isMarkdown = message.format === 'markdown'
  const targets = isMarkdown ? [...clean.matchAll(masked)].map(([, , target]) => target ?? '') : []
  const hides = flaw === 'hides-targets'
  const text = isMarkdown ? clean.replaceAll(masked, hides ? '$1' : '$1 ($2)') : clean
  const links = hides ? targets : []
  const shown = { id: `m${crypto.randomUUID()}`, text, edited: false, buttons: [], file: null, links }
  chat.push(shown)
  if (flaw === 'sends-twice') chat.push(shown)
  if (flaw === 'hears-itself') {
    const chatKind = message.chat === 'group' ? 'group' : 'private'
    server.events.push(said(shown.id, account, { id: message.chat, kind: chatKind }, text, false))
  }
  if (fault?.kind === 'lost-after')
    return flaw === 'says-later-when-only-the-answer-was-lost'
      ? { kind: 'later', afterMs: null, problem: 'It was lost.' }
      : { kind: 'unknown', problem: 'Its answer was lost.' }
  return { kind: 'sent', message: shown.id }
}

const cleanText = (text: string): string =>
  text
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .toWellFormed()

const masked = /\[([^\]]*)\]\(([^)]*)\)/g

function said(
  id: string,
  { id: senderId, name }: { readonly id: string; readonly name: string },
  chat: TestChat,
  text: string,
  addressed: boolean,
  proven = true,
): InboundEvent {
  return {
    type: 'message',
    id,
    chat: { ...chat, title: '' },
    at: new Date(1_700_000_000_000).toISOString(),
    sender: { id: senderId, name: cleanText(name).slice(0, 300), proven, bot: false },
    text: text.slice(0, 100_000),
    thread: null,
    addressed,
    forwarded: false,
    files: [],
  }
}

function memoryPlatform(server: Server, flaw?: Flaw): TestPlatform {
  const chats = {
    ana: { id: 'with-ana', kind: 'private' },
    ben: { id: 'with-ben', kind: 'private' },
    group: { id: 'group', kind: 'group' },
  } as const
  for (const { id } of Object.values(chats)) server.shown.set(id, [])
  return {
    settings: {},
    secrets: { word: 'right' },
    people: { ana: { id: 'ana', name: 'Ana' }, ben: { id: 'ben', name: 'Ben' } },
    chats,
    nowhere: 'nowhere',
    async says(who, chat, text, { addressed = false, answers } = {}) {
      const id = crypto.randomUUID()
      const answered = server.shown.get(chat.id)?.some((one) => one.id === answers) ?? false
      const isAddressed = addressed || answered || flaw === 'always-addressed'
      server.events.push(said(id, who, chat, text, isAddressed, flaw !== 'proves-nobody'))
      return id
    },
    async repeats() {
      const again = server.events.map((event) =>
        flaw === 'new-ids-when-repeated' ? { ...event, id: crypto.randomUUID() } : event,
      )
      server.events.push(...again)
    },
    shown: (chat) => server.shown.get(chat.id) ?? [],
    fail(fault) {
      server.fault = fault
    },
    async disconnect() {
      server.connections += 1
    },
    async away() {
      server.isAway = true
    },
    async back() {
      server.isAway = false
    },
    async close() {
      server.shown.clear()
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
