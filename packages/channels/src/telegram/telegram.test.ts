import { Api, GrammyError, InputFile } from 'grammy'
import { afterEach, describe, expect, it } from 'vitest'
import { createScene, type Scene } from '../testing/conformance/scene.ts'
import { describeChannel } from '../testing/conformance.ts'
import { telegramAdapter } from './adapter.ts'
import { openTelegramPlatform, type TelegramPlatform, testBot, testToken } from './testing/platform.ts'

describeChannel({
  adapter: telegramAdapter,
  open: openTelegramPlatform,
  without: { deletes: 'Telegram tells bots of no deletion.' },
})

const html = { status: 502, body: '<html>Bad Gateway</html>' }
const failed = (code: number, description: string, parameters = {}) => ({
  status: code,
  body: JSON.stringify({ ok: false, error_code: code, description, parameters }),
})

describe('Telegram', () => {
  const opened: Scene[] = []

  async function open(): Promise<{ s: Scene; platform: TelegramPlatform }> {
    const platform = await openTelegramPlatform()
    const s = await createScene(telegramAdapter, platform)
    opened.push(s)
    return { s, platform }
  }

  afterEach(async () => {
    for (const s of opened.splice(0)) await s.close()
  })

  const last = (s: Scene) => JSON.stringify(s.gateway.standings.at(-1) ?? {})

  it('says that another program uses the bot, and goes on when it does not', async () => {
    const { s, platform } = await open()
    const polls = () => platform.server.calls.filter(({ method }) => method === 'getUpdates').length
    await s.until('it to ask', () => polls() > 0)
    const other = new Api(testToken, { apiRoot: platform.server.url })
    await other.getUpdates({ timeout: 0 })
    await s.until('it to notice', () => last(s).includes('Another program uses this bot'))
    const word = s.word()
    await platform.says(s.ana, s.chats.ana, word)
    await s.arrival(word)
    await s.gateway.connected()
  })

  it('ends a web address that the bot still sends to', async () => {
    const platform = await openTelegramPlatform()
    platform.server.webhook = 'https://old.example'
    const s = await createScene(telegramAdapter, platform)
    opened.push(s)
    await s.stillHears()
    expect(platform.server.webhook).toBeUndefined()
  })

  it('does not know what a server in between did with a message', async () => {
    const { s, platform } = await open()
    for (const answer of [html, failed(500, 'Internal Server Error'), { status: 200, body: 'nothing' }]) {
      platform.server.answerNext('sendMessage', answer)
      expect((await s.gateway.send(s.message(s.chats.ana, s.word()))).kind).toBe('unknown')
    }
    platform.server.answerNext('editMessageText', html)
    const { message } = await s.sends(s.chats.ana, s.word())
    expect((await s.gateway.edit(message, s.message(s.chats.ana, s.word()))).kind).toBe('unknown')
  })

  it('surely did not send what nobody took for sending', async () => {
    const { s, platform } = await open()
    platform.server.answerNext('sendMessage', failed(401, 'Unauthorized'))
    expect((await s.gateway.send(s.message(s.chats.ana, s.word()))).kind).toBe('later')
    platform.server.answerNext('sendMessage', { status: 403, body: '<html>' })
    expect((await s.gateway.send(s.message(s.chats.ana, s.word()))).kind).toBe('refused')
  })

  it('sends to where a group has moved', async () => {
    const { s, platform } = await open()
    platform.server.answerNext(
      'sendMessage',
      failed(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: Number(s.group.id),
      }),
    )
    const before = platform.shown(s.group).length
    const old = { id: '-4005', kind: 'group' } as const
    const result = await s.gateway.send(s.message(old, s.word()))
    expect(result).toMatchObject({ kind: 'sent', message: platform.shown(s.group).at(-1)?.id })
    expect(platform.shown(s.group).length).toBe(before + 1)
  })

  it('never tells its token', async () => {
    const { s } = await open()
    await s.away()
    await s.until('it to notice', () => last(s).includes('disconnected'))
    const result = await s.gateway.send(s.message(s.chats.ana, s.word()))
    for (const told of [JSON.stringify(result), JSON.stringify(s.gateway.standings)])
      expect(told).not.toContain(testToken)
    await s.back()
  })

  it('refuses a token that is none before it asks anybody', async () => {
    const { s, platform } = await open()
    await s.gateway.stop()
    const before = platform.server.calls.length
    s.gateway.start({ secrets: { token: 'x/../../y' } })
    await s.until('it to be rejected', () => last(s).includes('rejected'))
    expect(platform.server.calls.length).toBe(before)
  })

  it('passes over an update that it cannot read, and forgets it', async () => {
    const { s, platform } = await open()
    const chat = { id: Number(s.chats.ana.id), type: 'private' }
    const from = { id: 1001, is_bot: false, first_name: 'Ana' }
    const broken = [
      { message: null },
      { message: { message_id: 'x' } },
      { message: { message_id: 5, chat: { id: 'x', type: 'private' }, date: 1, from, text: 'a' } },
      { message: { message_id: 5, chat, date: -1, from, text: 'a' } },
      { callback_query: { id: 5 } },
      { edited_message: [] },
      { poll: {} },
      {},
    ]
    for (const update of broken) platform.server.tell(update)
    await s.stillHears()
    expect(s.gateway.taken.length).toBe(1)
    await s.restart()
    await s.stillHears()
    expect(s.gateway.handed.length).toBe(2)
  })

  it('hears ninety messages of others while one is refused', async () => {
    const { s, platform } = await open()
    const stuck = s.word()
    s.gateway.judge((event) => (event.type === 'message' && event.text === stuck ? 'refuse' : 'take'))
    await platform.says(s.ana, s.chats.ana, stuck)
    const words = Array.from({ length: 90 }, () => s.word())
    for (const word of words) await platform.says(s.ben, s.chats.ben, word)
    for (const word of words) await s.arrival(word)
    s.gateway.judge(() => 'take')
    await s.arrival(stuck)
  })

  it('hears a flood in order', async () => {
    const { s, platform } = await open()
    const words = Array.from({ length: 450 }, () => s.word())
    for (const word of words) await platform.says(s.ana, s.chats.ana, word)
    await s.arrival(words.at(-1) ?? '')
    const heard = s.gateway.taken.map((event) => (event.type === 'message' ? event.text : ''))
    expect(heard).toEqual(words)
  })

  it('tells whoever pressed a button what became of it, also after a restart', async () => {
    const { s, platform } = await open()
    const { message } = await s.sends(s.chats.ana, s.word(), { buttons: [{ label: 'Yes', data: 'yes' }] })
    const event = await s.next('pressed', async () => platform.presses?.(s.ana, s.chats.ana, message, 'yes'))
    await s.restart()
    s.gateway.pressed(event.id, 'Approved. '.repeat(100))
    await s.until('the words to be shown', () => platform.server.pressed.get(event.id) !== '')
    expect(platform.server.pressed.get(event.id)?.startsWith('Approved. ')).toBe(true)
  })

  it('refuses a button that Telegram does not show', async () => {
    const { s } = await open()
    for (const button of [
      { label: '', data: 'x' },
      { label: 'x', data: '' },
      { label: 'x', data: 'ž'.repeat(33) },
    ]) {
      const message = s.message(s.chats.ana, s.word(), { buttons: [button] })
      expect((await s.gateway.send(message)).kind).toBe('refused')
    }
  })

  it('sends what is spoken as a voice note, and long words before a file', async () => {
    const { s, platform } = await open()
    const bytes = new Uint8Array([1, 2, 3])
    await s.sends(s.chats.ana, '', { file: { name: 'a.ogg', mediaType: 'audio/ogg', bytes } })
    expect(platform.server.messages.at(-1)?.file?.kind).toBe('voice')
    const words = `${s.word()} ${'long '.repeat(400)}end`
    const file = { name: 'a.txt', mediaType: 'text/plain', bytes }
    expect((await s.gateway.send(s.message(s.chats.ana, words, { file }))).kind).toBe('sent')
    const [text, sent] = platform.shown(s.chats.ana).slice(-2)
    expect([text?.text, text?.file, sent?.text, sent?.file?.name]).toEqual([words, null, '', 'a.txt'])
  })

  it('does not send long words twice when their file has to wait', async () => {
    const { s, platform } = await open()
    platform.server.answerNext('sendDocument', failed(429, 'Too Many Requests', { retry_after: 1 }))
    const file = { name: 'a.txt', mediaType: 'text/plain', bytes: new Uint8Array([1]) }
    const result = await s.gateway.send(s.message(s.chats.ana, 'long '.repeat(400), { file }))
    expect(result.kind).toBe('unknown')
  })

  it('fetches nothing from a place that is no file of Telegram', async () => {
    const { s, platform } = await open()
    for (const path of ['/etc/passwd', '../x', 'documents/../../y', 'https://evil.example/x', 'a/b?c', '']) {
      platform.server.files.set('wrong', { path, bytes: new Uint8Array([1]) })
      expect((await s.gateway.fetch('wrong', 100)).kind).toBe('failed')
    }
  })

  it('shows no page behind a link, and marks what is bold', async () => {
    const { s, platform } = await open()
    await s.sends(s.chats.ana, '**a** https://a.example', { format: 'markdown' })
    const call = platform.server.calls.findLast(({ method }) => method === 'sendMessage')
    expect(call?.parameters).toMatchObject({
      text: 'a https://a.example',
      entities: [{ type: 'bold', offset: 0, length: 1 }],
      link_preview_options: { is_disabled: true },
    })
    expect(call?.parameters).not.toHaveProperty('parse_mode')
  })
})

describe('the scripted Bot API server', () => {
  it('is understood by a client that others wrote', async () => {
    const platform = await openTelegramPlatform()
    const api = new Api(testToken, { apiRoot: platform.server.url })
    const { ana } = platform.chats
    expect(await api.getMe()).toMatchObject({ id: testBot.id, is_bot: true, username: testBot.username })
    await platform.says(platform.people.ana, ana, 'hello')
    const [update] = await api.getUpdates()
    expect(update?.message).toMatchObject({ text: 'hello', from: { id: 1001 } })
    const sent = await api.sendMessage(ana.id, 'bold', { entities: [{ type: 'bold', offset: 0, length: 4 }] })
    await api.editMessageText(ana.id, sent.message_id, 'changed')
    await api.sendDocument(ana.id, new InputFile(new Uint8Array([7]), 'a.bin'), { caption: 'file' })
    expect(platform.shown(ana).map(({ text, edited, file }) => [text, edited, file?.name])).toEqual([
      ['changed', true, undefined],
      ['file', false, 'a.bin'],
    ])
    const refusals = [
      api.sendMessage('999', 'x'),
      api.sendMessage(ana.id, ''),
      api.sendMessage(ana.id, 'x'.repeat(4_097)),
      api.sendMessage(ana.id, 'x', { entities: [{ type: 'bold', offset: 0, length: 2 }] }),
      api.editMessageText(ana.id, sent.message_id, 'changed'),
      api.getFile('nothing'),
    ]
    for (const refusal of refusals) {
      const problem: unknown = await refusal.catch((error: unknown) => error)
      expect(problem instanceof GrammyError && problem.error_code).toBe(400)
    }
    await platform.close()
  })
})
