/** Owns Matrix as the tests see it: a homeserver, people with clients, encrypted chats and an open group. */
import { Attachment, EncryptedAttachment } from '@matrix-org/matrix-sdk-crypto-wasm'
import type { Person, SaidOptions, Shown, TestChat, TestPlatform } from '../../testing/platform.ts'
import { openTestDevice, type TestDevice } from './device.ts'
import { openTestHomeserver, type StoredEvent, type TestHomeserver } from './homeserver.ts'

export const us = '@countersign:example.org'
const ana = { id: '@ana:example.org', name: 'Ana' }
const ben = { id: '@ben:example.org', name: 'Ben' }
const bot = { id: '@robot:example.org', name: 'Robot' }
const chats = {
  ana: { id: '!ana:example.org', kind: 'private' },
  ben: { id: '!ben:example.org', kind: 'private' },
  group: { id: '!garden:example.org', kind: 'group' },
} as const

export interface MatrixPlatform extends TestPlatform {
  readonly homeserver: TestHomeserver
  readonly people: { readonly ana: Person; readonly ben: Person; readonly bot: Person }
  readonly chats: typeof chats
  /** Sends what one likes, encrypted where the room is. */
  sends(who: Person, room: string, content: object): Promise<string>
}

type Content = Readonly<Record<string, unknown>>

export async function openMatrixPlatform(): Promise<MatrixPlatform> {
  const homeserver = await openTestHomeserver()
  const devices = new Map<string, TestDevice>()
  const shown = new Map<string, Shown[]>()
  const names = new Map<string, string>()
  let turn: Promise<unknown> = Promise.resolve()

  homeserver.addUser(us, 'OURS', 'mat_the_token_of_the_tests_a')
  for (const { id } of [ana, ben, bot]) homeserver.addUser(id, 'PHONE', `token of ${id}`)
  for (const { id } of [ana, ben, bot]) devices.set(id, await openTestDevice(homeserver, id, 'PHONE'))
  const encryption = [['m.room.encryption', { algorithm: 'm.megolm.v1.aes-sha2' }]] as const
  const isSealed = (room: string) => room === chats.ana.id || room === chats.ben.id
  homeserver.addRoom(chats.ana.id, [ana.id, us], encryption)
  homeserver.addRoom(chats.ben.id, [ben.id, us], encryption)
  homeserver.addRoom(chats.group.id, [ana.id, ben.id, bot.id, us], [['m.room.name', { name: 'Garden' }]])
  const thread = homeserver.append(chats.group.id, ana.id, 'm.room.message', {
    msgtype: 'm.text',
    body: 'root',
  })

  homeserver.onInbox = (user) => void devices.get(user)?.receive()
  homeserver.onEvent = (room, event) => {
    if (event.sender !== us || event.state_key !== undefined) return
    turn = turn.then(async () => show(room, event))
  }

  async function show(room: string, event: StoredEvent): Promise<void> {
    const reader = devices.get(room === chats.ben.id ? ben.id : ana.id)
    const content =
      event.type === 'm.room.encrypted' && reader
        ? { ...(await reader.decrypt(room, event).catch(unreadable)), ...relationOf(event.content) }
        : event.content
    const list = shown.get(room) ?? []
    shown.set(room, list)
    const relation = content['m.relates_to'] as { rel_type?: string; event_id?: string } | undefined
    if (relation?.rel_type === 'm.replace') {
      const at = list.findIndex(({ id }) => id === relation.event_id)
      const id = list[at]?.id
      if (id !== undefined) list[at] = shownOf(id, content['m.new_content'] as Content, true)
    } else list.push(shownOf(event.event_id, content, false))
  }

  /** As a person sees what no key of theirs opens. */
  const unreadable = (problem: unknown): Content => ({
    msgtype: 'm.text',
    body: `Unreadable: ${String(problem)}`,
  })

  const relationOf = (content: Content): Content =>
    content['m.relates_to'] === undefined ? {} : { 'm.relates_to': content['m.relates_to'] }

  function shownOf(id: string, content: Content, edited: boolean): Shown {
    const html = typeof content['formatted_body'] === 'string' ? content['formatted_body'] : undefined
    const name = content['filename']
    const body = html === undefined ? String(content['body']) : textOf(html)
    const mentions = content['m.mentions'] as { user_ids?: string[]; room?: boolean } | undefined
    const relation = content['m.relates_to'] as { rel_type?: string; event_id?: string } | undefined
    return {
      id,
      text: name !== undefined && body === name ? '' : body,
      edited,
      thread: relation?.rel_type === 'm.thread' ? (relation.event_id ?? null) : null,
      // Without the field, clients look for names in the text.
      pings: mentions ? [...(mentions.user_ids ?? []), ...(mentions.room ? ['@room'] : [])] : ['anybody'],
      links: [...(html ?? '').matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => unescaped(href)),
      buttons: [],
      file: name === undefined ? null : { name: name as string, bytes: bytesOf(content) },
    }
  }

  function bytesOf({ url, file }: Content): Uint8Array {
    const { url: sealed, ...info } = (file ?? {}) as { url?: string }
    const bytes = homeserver.media.get((url ?? sealed) as string) ?? new Uint8Array()
    return file ? Attachment.decrypt(new EncryptedAttachment(bytes, JSON.stringify(info))) : bytes
  }

  async function sends(who: Person, room: string, content: object): Promise<string> {
    const device = isSealed(room) ? devices.get(who.id) : undefined
    const members = homeserver.members(room)
    const type = device ? 'm.room.encrypted' : 'm.room.message'
    const sent = device ? await device.encrypt(room, members, content) : content
    return homeserver.append(room, who.id, type, sent).event_id
  }

  function named(who: Person, room: string): void {
    const key = `${room} ${who.id}`
    const known = names.get(key) ?? (who.name === bot.name ? who.name : '')
    if (known === who.name) return
    names.set(key, who.name)
    homeserver.append(
      room,
      who.id,
      'm.room.member',
      { membership: 'join', displayname: who.name },
      { state_key: who.id },
    )
  }

  function attached(
    room: string,
    { name, bytes, voice }: NonNullable<SaidOptions['file']>,
    text: string,
  ): Content {
    const sealed = isSealed(room) ? Attachment.encrypt(bytes) : undefined
    const url = homeserver.upload(sealed?.encryptedData ?? bytes)
    const info = JSON.parse(sealed?.mediaEncryptionInfo ?? '{}') as object
    return {
      msgtype: voice ? 'm.audio' : 'm.file',
      body: text === '' ? name : text,
      filename: name,
      info: { size: bytes.byteLength },
      ...(voice ? { 'org.matrix.msc3245.voice': {} } : {}),
      ...(sealed ? { file: { ...info, url } } : { url }),
    }
  }

  return {
    homeserver,
    sends,
    settings: { homeserver: homeserver.address, rooms: ['!listed:example.org'] },
    secrets: { accessToken: 'mat_the_token_of_the_tests_a' },
    people: { ana, ben, bot },
    chats,
    thread: thread.event_id,
    nowhere: '!nowhere:example.org',
    async says(who, chat, text, options = {}) {
      named(who, chat.id)
      const isNamed = options.addressed === true && chat.kind === 'group'
      const relation = {
        ...(options.thread === undefined ? {} : { rel_type: 'm.thread', event_id: options.thread }),
        ...(options.answers === undefined ? {} : { 'm.in_reply_to': { event_id: options.answers } }),
      }
      return sends(who, chat.id, {
        msgtype: who.id === bot.id ? 'm.notice' : 'm.text',
        body: isNamed ? `${us}: ${text}` : text,
        'm.mentions': isNamed ? { user_ids: [us] } : {},
        ...(Object.keys(relation).length > 0 ? { 'm.relates_to': relation } : {}),
        ...(options.file ? attached(chat.id, options.file, text) : {}),
      })
    },
    async edits(who, chat, message, text) {
      await sends(who, chat.id, {
        msgtype: 'm.text',
        body: `* ${text}`,
        'm.new_content': { msgtype: 'm.text', body: text },
        'm.relates_to': { rel_type: 'm.replace', event_id: message },
      })
    },
    async deletes(who, chat, message) {
      homeserver.append(chat.id, who.id, 'm.room.redaction', { redacts: message }, { redacts: message })
    },
    async repeats() {
      homeserver.replay()
    },
    shown: (chat: TestChat) => shown.get(chat.id) ?? [],
    fail: homeserver.fail,
    disconnect: homeserver.disconnect,
    away: homeserver.away,
    back: homeserver.back,
    async close() {
      await homeserver.close()
      await turn
    },
  }
}

const textOf = (html: string): string =>
  unescaped(html.replaceAll(/<br>|<\/(p|h4|li|pre|blockquote)>/g, '\n').replaceAll(/<[^>]+>/g, '')).trim()

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
