import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OutboundMessage } from '../frame/protocol.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, until as untilIn } from '../testing/test-gateway.ts'
import { discordAdapter } from './adapter.ts'
import { tries } from './outbound.ts'
import { openDiscordPlatform } from './testing/platform.ts'

describeChannel({ adapter: discordAdapter, open: openDiscordPlatform })

const platform = await openDiscordPlatform()
const patienceMs = 20_000
const { ana } = platform.people
const { chats } = platform
const gateway = createTestGateway({
  adapter: discordAdapter,
  settings: platform.settings,
  secrets: platform.secrets,
  patienceMs,
})

const until = (what: string, isSo: () => boolean) => untilIn(what, isSo, patienceMs)

const heard = (text: string) =>
  gateway.taken.filter((event) => event.type === 'message' && event.text === text)

const texts = () => gateway.taken.flatMap((event) => (event.type === 'message' ? [event.text] : []))

const message = (text: string, change: Partial<OutboundMessage> = {}): OutboundMessage => ({
  key: crypto.randomUUID(),
  chat: chats.ana.id,
  thread: null,
  text,
  format: 'plain',
  buttons: [],
  file: null,
  ...change,
})

async function stillHears(): Promise<void> {
  const word = crypto.randomUUID()
  await platform.says(ana, chats.ana, word)
  await until('the message', () => heard(word).length > 0)
}

const shownWith = (text: string) => platform.shown(chats.ana).filter((one) => one.text === text)

const user = { id: '100000000000000001', username: 'ana' }
const told = (id: string, change: object) => ({
  id: `5000000000000000${id}`,
  channel_id: chats.ana.id,
  author: user,
  content: 'a',
  timestamp: '2026-01-01T00:00:00.000000+00:00',
  type: 0,
  ...change,
})

describe('Discord', () => {
  beforeAll(async () => {
    gateway.start()
    await gateway.connected()
  })
  afterEach(async () => {
    gateway.judge(() => 'take')
    gateway.release()
    if (!gateway.up) gateway.start()
    await gateway.connected()
    expect(gateway.nonsense).toEqual([])
  })
  afterAll(async () => {
    await gateway.stop()
    await platform.close()
  })

  describe('its sessions', () => {
    it('are gone on with after a restart', async () => {
      await stillHears()
      const before = platform.beginnings.length
      await gateway.stop()
      await platform.says(ana, chats.ana, 'meanwhile')
      gateway.start()
      await until('the message', () => heard('meanwhile').length > 0)
      expect(platform.beginnings.slice(before)).toEqual(['resume'])
    })

    it('tell again what was not taken, though what came later was', async () => {
      gateway.judge((event) => (event.type === 'message' && event.text === 'first' ? 'hold' : 'take'))
      await platform.says(ana, chats.ana, 'first')
      await platform.says(platform.people.ben, chats.ben, 'second')
      await until('the second', () => heard('second').length > 0)
      await gateway.die()
      gateway.judge(() => 'take')
      gateway.start()
      await until('the first', () => heard('first').length > 0)
    })

    it('that are lost are made up for by reading private chats', async () => {
      await stillHears()
      await gateway.stop()
      const words = Array.from({ length: 7 }, (_, index) => `missed ${index}`)
      for (const word of words) await platform.says(ana, chats.ana, word)
      platform.forgets()
      const before = platform.beginnings.length
      gateway.start()
      await until('the messages', () => heard('missed 6').length > 0)
      await stillHears()
      expect(texts().slice(texts().indexOf('missed 0')).slice(0, 7)).toEqual(words)
      expect(platform.beginnings.slice(before)).toEqual(['identify'])
    })

    it('are taken up again when Discord asks for a new line', async () => {
      const before = platform.beginnings.length
      platform.sends(JSON.stringify({ op: 7, d: null }))
      await until('a new line', () => platform.beginnings.length > before)
      await stillHears()
      expect(platform.beginnings.at(-1)).toBe('resume')
    })

    it('ask for nothing that needs a privilege', () => {
      expect(new Set(platform.intents)).toEqual(new Set([(1 << 9) | (1 << 12)]))
    })

    it('are kept alive, and begun on a new line when no beat is answered', async () => {
      const before = platform.beginnings.length
      platform.beatsEvery(20)
      await platform.disconnect()
      await until('some beats', () => platform.beats() > 3)
      platform.beatsEvery(20, false)
      await until('a new line', () => platform.beginnings.length > before + 1)
      platform.beatsEvery(41_250)
      await until('another', () => gateway.standings.at(-1)?.type === 'connected')
      await stillHears()
    })

    it('are answered for at once when Discord asks for a beat', async () => {
      const before = platform.beats()
      platform.sends(JSON.stringify({ op: 1, d: null }))
      await until('the beat', () => platform.beats() > before)
    })
  })

  describe('what it tells', () => {
    it('is a program where it came through a webhook, whatever its name', async () => {
      platform.tells('MESSAGE_CREATE', told('01', { content: 'hook', webhook_id: user.id }))
      await until('the message', () => heard('hook').length > 0)
      expect(heard('hook')).toEqual([
        expect.objectContaining({ sender: { id: user.id, name: 'ana', proven: false, bot: true } }),
      ])
    })

    it('shows names for ids', async () => {
      const mentions = [{ id: '100000000000000002', username: 'ben', global_name: 'Ben' }]
      const content = '<@900000000000000003> tell <@!100000000000000002> in <#1> about <:cat:5>'
      platform.tells('MESSAGE_CREATE', told('02', { content, mentions }))
      await until('the message', () => heard('tell @Ben in #1 about :cat:').length > 0)
    })

    it('is no event where somebody came in, or a preview was added', async () => {
      const before = gateway.taken.length
      platform.tells('MESSAGE_CREATE', told('03', { type: 7 }))
      platform.tells('MESSAGE_UPDATE', told('04', { embeds: [{}] }))
      platform.tells('TYPING_START', {})
      await stillHears()
      expect(gateway.taken.length).toBe(before + 1)
    })

    it('are several that were taken back at once', async () => {
      const ids = ['500000000000000005', '500000000000000006']
      platform.tells('MESSAGE_DELETE_BULK', { ids, channel_id: chats.ana.id })
      await stillHears()
      const deleted = gateway.taken.flatMap((event) => (event.type === 'deleted' ? [event.message] : []))
      expect(deleted).toEqual(expect.arrayContaining(ids))
    })

    it.each([
      '',
      '{',
      'null',
      '[]',
      '{"op":"x"}',
      '{"op":0}',
      '{"op":0,"t":"MESSAGE_CREATE","s":1,"d":null}',
      '{"op":0,"t":"MESSAGE_CREATE","s":1,"d":{"id":"../x","channel_id":"1","author":{"id":"1"}}}',
      '{"op":0,"t":"INTERACTION_CREATE","s":1,"d":{"id":"1","type":3}}',
      '{"op":0,"t":"MESSAGE_DELETE_BULK","s":1,"d":{"ids":["x"],"channel_id":"1"}}',
      '{"op":99,"d":{}}',
    ])('does no harm when it is %s', async (text) => {
      platform.sends(text)
      await stillHears()
    })
  })

  describe('what we say', () => {
    it('calls nobody, and is known by its nonce', async () => {
      await gateway.send(message('@everyone <@1>'))
      const { body } = platform.calls.findLast(({ method }) => method === 'POST') ?? {}
      expect(body).toMatchObject({ allowed_mentions: { parse: [] }, enforce_nonce: true })
      expect(String(body?.nonce)).toMatch(/^[\w-]{25}$/)
    })

    it('is tried again at once under the same nonce when it may be lost, and arrives once', async () => {
      platform.loses(tries - 1)
      expect((await gateway.send(message('lost on the way'))).kind).toBe('sent')
      expect(shownWith('lost on the way').length).toBe(1)
      platform.fail?.({ kind: 'lost-after' })
      expect((await gateway.send(message('answer lost'))).kind).toBe('sent')
      expect(shownWith('answer lost').length).toBe(1)
    })

    it('stays unknown when it is refused after it may have been taken', async () => {
      platform.loses(tries - 1)
      platform.answers('/messages', { status: 403, body: { code: 50_001, message: 'Missing Access' } })
      expect((await gateway.send(message('perhaps'))).kind).toBe('unknown')
    })

    it.each([
      ['later', { status: 429, body: { retry_after: 1.5 } }, 1_500],
      ['later', { status: 429, headers: { 'retry-after': '9' }, body: Buffer.from('<html>') }, 9_000],
      ['refused', { status: 403, body: { message: 'Missing Access' } }, undefined],
      ['refused', { status: 404, body: {} }, undefined],
      ['refused', { status: 400, body: { message: 'Invalid Form Body' } }, undefined],
      ['refused', { status: 302, headers: { location: 'https://evil.example' } }, undefined],
      ['sent', { status: 502 }, undefined],
    ] as const)('is %s where Discord first answers %o', async (kind, answer, afterMs) => {
      platform.answers('/messages', answer)
      const result = await gateway.send(message('a'))
      expect(result.kind).toBe(kind)
      if (afterMs !== undefined) expect(result).toMatchObject({ afterMs })
    })

    it('is one message in a frame when its signs are too many for a plain one', async () => {
      const text = '*_'.repeat(800)
      const before = platform.shown(chats.ana).length
      expect((await gateway.send(message(text))).kind).toBe('sent')
      expect(platform.shown(chats.ana).slice(before)).toEqual([expect.objectContaining({ text })])
    })

    it('answers whoever pressed at once, and alone', async () => {
      const sent = await gateway.send(message('card', { buttons: [{ label: 'Deny', data: 'deny' }] }))
      const before = platform.acknowledged.length
      gateway.judge(() => 'hold')
      await platform.presses?.(ana, chats.ana, sent.kind === 'sent' ? sent.message : '', 'deny')
      await until('the sign', () => platform.acknowledged.length > before)
      gateway.judge(() => 'take')
      await until('the press to be handed over', () => gateway.handed.some(({ type }) => type === 'pressed'))
      gateway.release()
      await until('the press', () => gateway.taken.some(({ type }) => type === 'pressed'))
      const press = gateway.taken.findLast(({ type }) => type === 'pressed')
      gateway.pressed(press?.id ?? '', 'Only in your own chat.')
      await until('the answer', () => platform.whispers.length > 0)
      expect(platform.whispers.at(-1)?.text).toBe('Only in your own chat.')
    })
  })

  it('says so when its token is accepted no more, and asks again', async () => {
    platform.answers('/messages', { status: 401, body: { message: '401: Unauthorized' } })
    const before = gateway.standings.length
    expect((await gateway.send(message('a'))).kind).toBe('later')
    await until('it to say so', () =>
      gateway.standings
        .slice(before)
        .some((one) => one.type === 'disconnected' && one.problem.includes('Unauthorized')),
    )
    await gateway.connected()
  })

  it('reads files from no server but those of Discord', async () => {
    const file = { id: '7', filename: 'a', url: 'http://127.0.0.1:9/cdn/7' }
    platform.answers('/messages/6', { body: { id: '6', attachments: [file] } })
    expect(await gateway.fetch(`${chats.ana.id}/6/7`, 1_000)).toEqual({
      kind: 'failed',
      problem: 'The file is not on the servers of Discord.',
    })
  })
})
