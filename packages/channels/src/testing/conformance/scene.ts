/** Owns where the cases play: the platform, the channel between it and a gateway, and short words for what people and we do there. */
import type { InboundEvent, InboundMessage } from '../../frame/events.ts'
import type { ChannelManifest } from '../../frame/manifest.ts'
import type { OutboundMessage, SendResult } from '../../frame/protocol.ts'
import type { Person, SaidOptions, Shown, TestChat, TestPlatform } from '../platform.ts'
import { type AnyAdapter, createTestGateway, type TestGateway, until } from '../test-gateway.ts'

export interface Scene {
  readonly manifest: ChannelManifest
  readonly platform: TestPlatform
  readonly gateway: TestGateway
  readonly ana: Person
  readonly ben: Person
  readonly chats: { readonly ana: TestChat; readonly ben: TestChat }
  /** Throws where there is none. */
  readonly group: TestChat
  /** Waits for what comes; says for what it waited in vain. */
  until(what: string, isSo: () => boolean): Promise<void>
  /** A word that nobody has said yet. */
  word(): string
  /** A key that was not used yet. */
  key(): string
  /** They say it, and it is taken. */
  says(who: Person, chat: TestChat, text: string, options?: SaidOptions): Promise<Heard>
  /** What was taken with this word in it. */
  withWord(word: string): InboundMessage[]
  arrival(word: string): Promise<InboundMessage>
  /** What is taken after the act and fits. */
  next<Type extends InboundEvent['type']>(
    type: Type,
    act: () => Promise<unknown>,
  ): Promise<Extract<InboundEvent, { type: Type }>>
  /** Proves that it still works, and that everything before in that chat has come. */
  stillHears(chat?: TestChat, who?: Person): Promise<void>
  stillSends(): Promise<void>
  message(chat: TestChat, text: string, change?: Partial<OutboundMessage>): OutboundMessage
  /** It is sent, and shown there. */
  sends(chat: TestChat, text: string, change?: Partial<OutboundMessage>): Promise<Arrived>
  /** Sends it until it is not said to be sent later. */
  sendsSoon(message: OutboundMessage): Promise<SendResult>
  account(): { readonly id: string; readonly name: string }
  restart(between?: () => Promise<void>): Promise<void>
  away(): Promise<void>
  back(): Promise<void>
  /** As it was before the case. */
  calm(): Promise<void>
  close(): Promise<void>
}

export interface Heard {
  /** As the platform calls it. */
  readonly id: string
  readonly event: InboundMessage
}

export interface Arrived {
  readonly message: string
  /** Everything that came with it, mostly one. */
  readonly shown: readonly Shown[]
  /** What is read there. */
  readonly text: string
}

/** How long something may take to come, on the slowest machine. */
const patience = 20_000

export async function createScene(
  adapter: AnyAdapter,
  platform: TestPlatform,
  patienceMs = patience,
): Promise<Scene> {
  const { settings, secrets } = platform
  const gateway = createTestGateway({ adapter, settings, secrets, patienceMs })
  const { ana, ben } = platform.people
  let words = 0
  let isAway = false
  platform.reach?.(gateway.request)
  gateway.start()
  await gateway.connected()

  function message(chat: TestChat, text: string, change: Partial<OutboundMessage> = {}): OutboundMessage {
    const key = change.key ?? scene.key()
    return { key, chat: chat.id, thread: null, text, format: 'plain', buttons: [], file: null, ...change }
  }

  async function next<Type extends InboundEvent['type']>(
    type: Type,
    act: () => Promise<unknown>,
  ): Promise<Extract<InboundEvent, { type: Type }>> {
    const before = new Set(gateway.taken.map(({ id }) => id))
    const fits = (event: InboundEvent): event is Extract<InboundEvent, { type: Type }> =>
      event.type === type && !before.has(event.id)
    await act()
    await scene.until(`an event of the type ${type}`, () => gateway.taken.some(fits))
    const found = gateway.taken.find(fits)
    if (!found) throw new Error('What was taken is gone.')
    return found
  }

  async function sends(
    chat: TestChat,
    text: string,
    change: Partial<OutboundMessage> = {},
  ): Promise<Arrived> {
    const before = platform.shown(chat).length
    const result = await scene.sendsSoon(message(chat, text, change))
    if (result.kind !== 'sent') throw new Error(`It was not sent: ${JSON.stringify(result)}`)
    await scene.until('what was sent to be shown', () => platform.shown(chat).length > before)
    const shown = platform.shown(chat).slice(before)
    return { message: result.message, shown, text: shown.map((one) => one.text).join('\n') }
  }

  const scene: Scene = {
    until: (what, isSo) => until(what, isSo, patienceMs),
    manifest: adapter.manifest,
    platform,
    gateway,
    ana,
    ben,
    chats: platform.chats,
    get group() {
      const { group } = platform.chats
      if (!group) throw new Error('There is no group.')
      return group
    },
    word: () => {
      words += 1
      return `word${String(words).padStart(5, '0')}`
    },
    key: () => `key/${crypto.randomUUID()}`,
    async says(who, chat, text, options) {
      let id = ''
      const event = await next('message', async () => {
        id = await platform.says(who, chat, text, options)
      })
      return { id, event }
    },
    withWord: (word) =>
      gateway.taken.filter(
        (event): event is InboundMessage => event.type === 'message' && event.text.includes(word),
      ),
    async arrival(word) {
      await scene.until(`the message with ${word}`, () => scene.withWord(word).length > 0)
      const [first] = scene.withWord(word)
      if (!first) throw new Error('What was taken is gone.')
      return first
    },
    next,
    async stillHears(chat = platform.chats.ana, who = ana) {
      const word = scene.word()
      await platform.says(who, chat, word, chat.kind === 'group' ? { addressed: true } : {})
      await scene.arrival(word)
    },
    async stillSends() {
      const word = scene.word()
      const { text } = await sends(platform.chats.ana, word)
      if (text !== word) throw new Error(`${word} arrived as ${text}.`)
    },
    message,
    sends,
    async sendsSoon(one) {
      const end = performance.now() + patienceMs
      for (;;) {
        const result = await gateway.send(one)
        if (result.kind !== 'later' || performance.now() > end) return result
        await new Promise((resolve) => setTimeout(resolve, Math.min(result.afterMs ?? 20, 5_000)))
      }
    },
    account() {
      const connected = gateway.standings.find((one) => one.type === 'connected')
      if (connected?.type !== 'connected') throw new Error('It was never connected.')
      return connected.account
    },
    async restart(between = () => Promise.resolve()) {
      await gateway.stop()
      await between()
      gateway.start()
      await gateway.connected()
    },
    async away() {
      isAway = true
      await platform.away()
    },
    async back() {
      isAway = false
      await platform.back()
    },
    async calm() {
      gateway.judge(() => 'take')
      gateway.release()
      if (isAway) await scene.back()
      if (!gateway.up) gateway.start()
      await gateway.connected()
      if (gateway.nonsense.length > 0)
        throw new Error(`The channel said what the gateway does not read: ${gateway.nonsense.join('; ')}`)
    },
    async close() {
      await gateway.stop()
      await platform.close()
    },
  }
  return scene
}

/** Without what a platform may change at will: how wide a gap is. */
export const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Without any gap: what was cut into several messages reads as one. */
export const bare = (text: string): string => text.replaceAll(/\s+/g, '')
