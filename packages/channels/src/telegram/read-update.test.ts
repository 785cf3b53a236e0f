import type { Update as DocumentedUpdate } from 'grammy/types'
import { describe, expect, it } from 'vitest'
import { InboundEvent } from '../frame/events.ts'
import { readUpdate } from './read-update.ts'
import { Update } from './update.ts'

const me = { id: 7, is_bot: true, first_name: 'Countersign', username: 'our_bot' }
const ana = { id: 1001, is_bot: false, first_name: 'Ana', last_name: 'Kovač' }
const family = { id: -100_200, type: 'supergroup', title: 'Family' } as const
const withAna = { id: 1001, type: 'private', first_name: 'Ana' } as const
const date = 1_700_000_000

/** As the gateway would read it. */
function read(update: unknown): InboundEvent | undefined {
  const event = readUpdate(Update.parse(update), me)
  return event && InboundEvent.parse(event)
}

type Message = NonNullable<DocumentedUpdate['message']>

const inFamily = (message: Partial<Message>) =>
  read({ update_id: 5, message: { message_id: 9, from: ana, chat: family, date, ...message } })

const mention = (text: string, words: string, type: 'mention' | 'bot_command' = 'mention') => ({
  text,
  entities: [{ type, offset: text.indexOf(words), length: words.length }] as Message['entities'] & object,
})

describe('what Telegram tells', () => {
  it('becomes a message of who the platform says wrote it', () => {
    expect(
      read({ update_id: 5, message: { message_id: 9, from: ana, chat: withAna, date, text: 'hi' } }),
    ).toEqual({
      type: 'message',
      id: '1001/9',
      chat: { id: '1001', kind: 'private', title: 'Ana Kovač' },
      at: '2023-11-14T22:13:20.000Z',
      sender: { id: '1001', name: 'Ana Kovač', proven: true, bot: false },
      text: 'hi',
      thread: null,
      addressed: false,
      forwarded: false,
      files: [],
    })
  })

  it.each([
    ['@our_bot hello', '@our_bot', 'hello'],
    ['@OUR_Bot, hello', '@OUR_Bot', 'hello'],
    ['hello @our_bot', '@our_bot', 'hello'],
    ['ask @our_bot about it', '@our_bot', 'ask @our_bot about it'],
    ['@our_bot', '@our_bot', undefined],
  ])('is for us in %j', (text, words, expected) => {
    const event = inFamily(mention(text, words))
    if (expected === undefined) expect(event).toBeUndefined()
    else expect(event).toMatchObject({ addressed: true, text: expected })
  })

  it('is for us as a command with our name', () => {
    expect(inFamily(mention('/help@our_bot now', '/help@our_bot', 'bot_command'))).toMatchObject({
      addressed: true,
      text: '/help now',
    })
    expect(inFamily(mention('/help now', '/help', 'bot_command'))).toMatchObject({ addressed: false })
    expect(inFamily(mention('/help@other_bot', '/help@other_bot', 'bot_command'))).toMatchObject({
      addressed: false,
    })
  })

  it('is for us where our name is a link to us, and not where it only reads so', () => {
    const text = 'Countersign, hello'
    const named = (id: number) =>
      inFamily({ text, entities: [{ type: 'text_mention', offset: 0, length: 11, user: { ...me, id } }] })
    expect(named(7)).toMatchObject({ addressed: true, text: 'hello' })
    expect(named(8)).toMatchObject({ addressed: false })
    expect(inFamily({ text: '@our_bot hello' })).toMatchObject({ addressed: false })
    expect(
      inFamily({ text: '@our_bot2', entities: [{ type: 'mention', offset: 0, length: 9 }] }),
    ).toMatchObject({
      addressed: false,
    })
  })

  it('is for us as an answer to us, and not because a topic was opened by us', () => {
    const answered = { message_id: 8, chat: family, date, from: me }
    const reply = (more: object) =>
      inFamily({ text: 'yes', reply_to_message: { ...answered, ...more } as never })
    expect(reply({})).toMatchObject({ addressed: true })
    expect(reply({ forum_topic_created: { name: 'x', icon_color: 1 } })).toMatchObject({ addressed: false })
    expect(reply({ from: ana })).toMatchObject({ addressed: false })
  })

  it('has a thread only in a topic', () => {
    expect(inFamily({ text: 'a', message_thread_id: 3, is_topic_message: true })).toMatchObject({
      thread: '3',
    })
    expect(inFamily({ text: 'a', message_thread_id: 3 })).toMatchObject({ thread: null })
  })

  it('proves nobody where a chat speaks for itself', () => {
    const anonymous = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' }
    expect(inFamily({ text: 'a', from: anonymous, sender_chat: family })).toMatchObject({
      sender: { id: 'chat:-100200', name: 'Family', proven: false },
    })
    const channel = { id: -100_300, type: 'channel', title: 'News' } as const
    const post = { message_id: 4, sender_chat: channel, chat: channel, date, text: 'approve' }
    expect(read({ update_id: 5, channel_post: post })).toMatchObject({
      chat: { kind: 'group' },
      sender: { id: 'chat:-100300', proven: false },
    })
    expect(read({ update_id: 5, channel_post: { ...post, sender_chat: undefined } })).toBeUndefined()
  })

  it('was written by somebody else where it is passed on, or comes by way of another bot', () => {
    const origin = { type: 'hidden_user', date, sender_user_name: 'x' } as const
    expect(inFamily({ text: 'a', forward_origin: origin })).toMatchObject({ forwarded: true })
    expect(inFamily({ text: 'a', via_bot: { ...me, id: 9 } })).toMatchObject({ forwarded: true })
  })

  it('brings the largest of a picture, and a voice note as one', () => {
    const size = (file_id: string, width: number) => ({ file_id, file_unique_id: file_id, width, height: 1 })
    expect(inFamily({ photo: [size('small', 90), size('large', 900)], caption: 'look' })).toMatchObject({
      text: 'look',
      files: [{ ref: 'large', name: 'photo.jpg', bytes: null, voice: false }],
    })
    const voice = { file_id: 'v', file_unique_id: 'v', duration: 2, file_size: 5 }
    expect(inFamily({ voice })).toMatchObject({ files: [{ ref: 'v', bytes: 5, voice: true }] })
    expect(
      inFamily({
        caption: '@our_bot what is this',
        caption_entities: [{ type: 'mention', offset: 0, length: 8 }],
        voice,
      }),
    ).toMatchObject({ addressed: true, text: 'what is this' })
  })

  it('is read as the face of a sticker', () => {
    expect(inFamily({ sticker: { emoji: '👍' } as never })).toMatchObject({ text: '👍' })
  })

  it('is a change of a message with an id of its own', () => {
    const edited = { message_id: 9, from: ana, chat: family, date, edit_date: date + 1, text: 'new' }
    expect(read({ update_id: 6, edited_message: edited })).toMatchObject({
      type: 'edited',
      id: '-100200/9/edited/6',
      message: '-100200/9',
      text: 'new',
    })
  })

  it('is a press on a button of ours', () => {
    const message = { message_id: 9, chat: withAna, date: 0 }
    const query = { id: '44', from: ana, chat_instance: '1', data: 'approve' }
    expect(read({ update_id: 6, callback_query: { ...query, message } })).toMatchObject({
      type: 'pressed',
      id: '44',
      message: '1001/9',
      data: 'approve',
      chat: { id: '1001', kind: 'private' },
      sender: { id: '1001', proven: true },
    })
    expect(read({ update_id: 6, callback_query: { ...query, inline_message_id: 'x' } })).toBeUndefined()
    expect(
      read({ update_id: 6, callback_query: { ...query, data: undefined, game_short_name: 'x', message } }),
    ).toBeUndefined()
  })

  it('is nothing where nobody says anything', () => {
    expect(inFamily({ new_chat_members: [ana] })).toBeUndefined()
    expect(read({ update_id: 6, my_chat_member: { chat: family, from: ana } })).toBeUndefined()
    expect(inFamily({ text: 'we said it', from: me })).toBeUndefined()
  })

  it('is cut to what the gateway reads, without half a letter', () => {
    const name = '😀'.repeat(400)
    const event = inFamily({ text: 'x'.repeat(200_000), from: { ...ana, first_name: `a${name}` } })
    expect(event).toMatchObject({ type: 'message' })
    const document = { file_id: 'd', file_unique_id: 'd', file_name: `a${name}` }
    expect(inFamily({ document })).toMatchObject({ files: [{ ref: 'd' }] })
    expect(inFamily({ text: 'a', date: 9_007_199_254_740_991 })).toMatchObject({
      at: '9999-12-31T23:59:59.000Z',
    })
  })

  it('is read although a part that is only shown has another shape', () => {
    expect(
      inFamily({ text: 'a', entities: 'x' as never, photo: 7 as never, sticker: 1 as never }),
    ).toMatchObject({
      text: 'a',
    })
    const entities = [{ type: 'mention', offset: 900, length: 9 }] as never
    expect(inFamily({ text: '@our_bot', entities })).toMatchObject({ addressed: false, text: '@our_bot' })
  })

  it('never fails and never exceeds what the gateway reads, whatever stands in a place', () => {
    const size = { file_id: 'p', file_unique_id: 'p', width: 1, height: 1 }
    const message = {
      message_id: 9,
      message_thread_id: 3,
      is_topic_message: true,
      from: ana,
      sender_chat: family,
      chat: family,
      date,
      edit_date: date,
      text: '@our_bot hi',
      caption: 'x',
      entities: [{ type: 'mention', offset: 0, length: 8, user: ana }],
      caption_entities: [{ type: 'bot_command', offset: 0, length: 8 }],
      forward_origin: { type: 'user' },
      reply_to_message: { from: me, sender_chat: family, forum_topic_created: {} },
      document: { ...size, file_name: 'a', file_size: 5 },
      voice: size,
      photo: [size],
      sticker: { emoji: 'x' },
    }
    const whole = {
      message: { update_id: 1, message },
      edited_message: { update_id: 1, edited_message: message },
      callback_query: { update_id: 1, callback_query: { id: 'q', from: ana, message, data: 'x' } },
    }
    const many = Array.from({ length: 2_000 }, () => size)
    const numbers = [-1, 0.5, 1e300, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    const texts = ['', '\u0000', '\ud800', 'x'.repeat(200_000)]
    const hostile = [null, true, ...numbers, ...texts, [], {}, [[]], { id: 1 }, many]
    let read = 0
    for (const update of Object.values(whole))
      for (const path of pathsOf(update))
        for (const value of hostile) {
          const parsed = Update.safeParse(changedAt(update, path, value))
          const event = parsed.success ? readUpdate(parsed.data, me) : undefined
          if (!event) continue
          read += 1
          const fits = InboundEvent.safeParse(event)
          expect(fits.success, `${path.join('.')}: ${fits.error?.message}`).toBe(true)
        }
    expect(read).toBeGreaterThan(500)
  })
})

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((rest) => [key, ...rest]),
  ])
}

function changedAt(value: unknown, [key = '', ...rest]: readonly string[], to: unknown): unknown {
  const copy: Record<string, unknown> = { ...(value as object) }
  copy[key] = rest.length === 0 ? to : changedAt(copy[key], rest, to)
  return Array.isArray(value) ? Object.values(copy) : copy
}
