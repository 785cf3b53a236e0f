import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OutboundMessage } from '../frame/protocol.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, until as untilIn } from '../testing/test-gateway.ts'
import { slackAdapter } from './adapter.ts'
import { openSlackPlatform } from './testing/platform.ts'

describeChannel({ adapter: slackAdapter, open: openSlackPlatform })

const platform = await openSlackPlatform()
const patienceMs = 20_000
const { ana } = platform.people
const { chats } = platform
const gateway = createTestGateway({
  adapter: slackAdapter,
  settings: platform.settings,
  secrets: platform.secrets,
  patienceMs,
})

const until = (what: string, isSo: () => boolean) => untilIn(what, isSo, patienceMs)

const heard = (text: string) =>
  gateway.taken.filter((event) => event.type === 'message' && event.text === text)

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

describe('Slack', () => {
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

  describe('what it tells', () => {
    it('is one event where a mention is told of twice', async () => {
      const before = platform.acknowledged.size
      const id = await platform.says(ana, platform.chats.group ?? chats.ana, 'mention', { addressed: true })
      await until('both envelopes to be answered for', () => platform.acknowledged.size >= before + 2)
      expect(heard('mention')).toEqual([expect.objectContaining({ id, addressed: true })])
    })

    it('is answered for only when it is taken', async () => {
      const before = platform.acknowledged.size
      gateway.judge((event) => (event.type === 'message' && event.text === 'held' ? 'hold' : 'take'))
      await platform.says(ana, chats.ana, 'held')
      await until('it to be handed over', () =>
        gateway.handed.some((event) => event.type === 'message' && event.text === 'held'),
      )
      expect(platform.acknowledged.size).toBe(before)
      gateway.judge(() => 'take')
      gateway.release()
      await until('it to be answered for', () => platform.acknowledged.size > before)
    })

    it('is caught up with where Slack repeats it no more', async () => {
      await stillHears()
      await gateway.stop()
      const words = Array.from({ length: 7 }, (_, index) => `missed ${index}`)
      for (const word of words) await platform.says(ana, chats.ana, word)
      platform.forgets()
      gateway.start()
      await platform.says(ana, chats.ana, 'after')
      await until('the last one', () => heard('after').length > 0)
      const texts = gateway.taken.flatMap((event) => (event.type === 'message' ? [event.text] : []))
      expect(texts.slice(texts.indexOf('missed 0'))).toEqual([...words, 'after'])
    })

    it('goes on over a connection that Slack wants to be a new one', async () => {
      const before = gateway.standings.length
      await platform.refreshes()
      await stillHears()
      expect(gateway.standings.slice(before).map(({ type }) => type)).not.toContain('disconnected')
    })

    it('says when Socket Mode was switched off', async () => {
      platform.sends(JSON.stringify({ type: 'disconnect', reason: 'link_disabled' }))
      await until('it to say so', () =>
        gateway.standings.some((one) => one.type === 'disconnected' && one.problem.includes('link_disabled')),
      )
      await gateway.connected()
    })

    it('is no event where a message only shows what its links lead to, or somebody came in', async () => {
      const before = gateway.taken.length
      const ts = '1700000000.000001'
      const one = { type: 'message', user: 'U0ANA', text: 'a', ts }
      const change = {
        type: 'message',
        subtype: 'message_changed',
        channel: chats.ana.id,
        ts: '1700000001.1',
      }
      platform.tells({ ...change, message: one, previous_message: one })
      platform.tells({
        type: 'message',
        subtype: 'channel_join',
        channel: chats.ana.id,
        user: 'U0ANA',
        ts,
        text: 'x',
      })
      platform.tells({ type: 'reaction_added', user: 'U0ANA' })
      await stillHears()
      expect(gateway.taken.length).toBe(before + 1)
    })

    it('is a program where it was written through a webhook', async () => {
      const ts = '1700000002.000001'
      const hook = {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B1',
        username: 'Ana',
        text: 'hook',
        ts,
      }
      platform.tells({ ...hook, channel: 'C0GROUP' })
      await until('the message', () => heard('hook').length > 0)
      expect(heard('hook')).toEqual([
        expect.objectContaining({ sender: { id: 'T0TEAM:B1', name: 'Ana', proven: true, bot: true } }),
      ])
    })

    it('keeps people of other workspaces apart', async () => {
      const there = {
        type: 'message',
        user: 'U0ANA',
        user_team: 'T0OTHER',
        text: 'elsewhere',
        ts: '1700000003.1',
      }
      platform.tells({ ...there, channel: 'C0GROUP' })
      await until('the message', () => heard('elsewhere').length > 0)
      expect(heard('elsewhere')).toEqual([
        expect.objectContaining({ sender: expect.objectContaining({ id: 'T0OTHER:U0ANA' }) as unknown }),
      ])
    })

    it.each([
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"type":"events_api"}',
      '{"envelope_id":"e.1","type":"events_api"}',
      '{"envelope_id":"e.1","type":"events_api","payload":{"team_id":"T","event":{"type":"message"}}}',
      '{"envelope_id":"e.1","type":"interactive","payload":{"type":"block_actions","user":{"id":"U"},"actions":[]}}',
      '{"envelope_id":"e.1","type":"events_api","payload":{"team_id":"T","event":{"type":"message","channel":"D1","user":"U","ts":"x"}}}',
      '{"envelope_id":"e.1","type":"nobody knows it","payload":{}}',
      `{"type":"hello","x":"${'x'.repeat(100_000)}"}`,
    ])('does no harm when it is %s', async (text) => {
      platform.sends(text.slice(0, 200_000))
      await stillHears()
    })
  })

  describe('what we say', () => {
    it('asks whoever approves once more, within what Slack allows', async () => {
      const buttons = [
        { label: 'Approve once', data: 'approve' },
        { label: 'Deny', data: 'deny' },
      ]
      await gateway.send(message('card '.repeat(200), { buttons }))
      const blocks = JSON.parse(platform.calls.at(-1)?.args.blocks ?? '[]') as {
        elements: { confirm?: { title: { text: string }; text: { text: string } } }[]
      }[]
      const [approve, deny] = blocks.at(-1)?.elements ?? []
      expect(approve?.confirm?.title.text.length).toBeLessThanOrEqual(100)
      expect(approve?.confirm?.text.text.length).toBeLessThanOrEqual(300)
      expect(approve?.confirm?.text.text).toContain('card card')
      expect(deny?.confirm).toBeUndefined()
    })

    it('calls nobody in what notifications show', async () => {
      await gateway.send(message('<!channel> <@U0ANA> & <https://evil.example|bank>'))
      const { args } = platform.calls.findLast(({ method }) => method === 'chat.postMessage') ?? {}
      expect(args).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false', parse: 'none' })
      expect(args?.text).not.toMatch(/[<>]/)
    })

    it('tells whoever pressed, and nobody else, also after a restart', async () => {
      const buttons = [{ label: 'Deny', data: 'deny' }]
      const sent = await gateway.send(message('card', { buttons }))
      await platform.presses?.(ana, chats.ana, sent.kind === 'sent' ? sent.message : '', 'deny')
      await until('the press', () => gateway.taken.some(({ type }) => type === 'pressed'))
      const press = gateway.taken.findLast(({ type }) => type === 'pressed')
      await gateway.stop()
      gateway.start()
      await gateway.connected()
      gateway.pressed(press?.id ?? '', 'Only <!here> in your own chat.')
      await until('the answer', () => platform.whispers.length > 0)
      expect(platform.whispers).toEqual([
        { chat: chats.ana.id, user: 'U0ANA', text: 'Only &lt;!here&gt; in your own chat.' },
      ])
    })

    it.each([
      ['unknown', { body: { ok: false, error: 'internal_error' } }],
      ['unknown', { body: { ok: false, error: 'fatal_error' } }],
      ['unknown', { status: 503, body: {} }],
      ['unknown', { body: Buffer.from('<html>') }],
      ['unknown', { body: { ok: true } }],
      ['later', { body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '7' } }],
      ['refused', { body: { ok: false, error: 'channel_not_found' } }],
      ['refused', { body: { ok: false, error: 'msg_too_long' } }],
      ['refused', { status: 302, headers: { location: 'https://evil.example' } }],
    ] as const)('is %s where Slack answers %o', async (kind, answer) => {
      platform.answers('chat.postMessage', answer)
      const result = await gateway.send(message('a'))
      expect(result.kind).toBe(kind)
      if ('headers' in answer && kind === 'later') expect(result).toMatchObject({ afterMs: 7_000 })
    })

    it('is sent later when the token is not accepted, and it is asked whether it is again', async () => {
      platform.answers('chat.postMessage', { body: { ok: false, error: 'token_revoked' } })
      const before = gateway.standings.length
      expect((await gateway.send(message('a'))).kind).toBe('later')
      await until('it to say so', () =>
        gateway.standings
          .slice(before)
          .some((one) => one.type === 'disconnected' && one.problem.includes('token_revoked')),
      )
      await gateway.connected()
    })

    it('is surely not sent where a file was lost before it was shown', async () => {
      const file = { name: 'a.txt', mediaType: 'text/plain', bytes: new Uint8Array(3) }
      platform.answers('files.getUploadURLExternal', { status: 500 })
      expect((await gateway.send(message('a', { file }))).kind).toBe('later')
      platform.answers('files.getUploadURLExternal', {
        body: { ok: true, upload_url: 'https://evil.example/', file_id: 'F1' },
      })
      expect((await gateway.send(message('a', { file }))).kind).toBe('refused')
      platform.answers('files.completeUploadExternal', { status: 500 })
      expect((await gateway.send(message('a', { file }))).kind).toBe('unknown')
    })

    it('takes its token to no server but those of Slack', async () => {
      const file = { id: 'F1', url_private: 'http://127.0.0.1:9/files-pri/F1' }
      platform.answers('files.info', { body: { ok: true, file } })
      expect(await gateway.fetch('F1', 1_000)).toEqual({
        kind: 'failed',
        problem: 'The file is not on the servers of Slack.',
      })
    })
  })
})
