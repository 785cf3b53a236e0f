import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OutboundMessage } from '../frame/protocol.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, type TestGateway, until } from '../testing/test-gateway.ts'
import { whatsappAdapter } from './adapter.ts'
import { openWhatsappPlatform, type WhatsappPlatform } from './testing/platform.ts'

const patienceMs = 20_000

describeChannel({
  adapter: whatsappAdapter,
  open: openWhatsappPlatform,
  without: {
    edits: 'The Cloud API tells of no changes.',
    deletes: 'The Cloud API tells of no deletions.',
    connection: 'Nothing is held open: WhatsApp comes to us.',
  },
})

let platform: WhatsappPlatform
let gateway: TestGateway
beforeAll(async () => {
  platform = await openWhatsappPlatform()
  gateway = createTestGateway({
    adapter: whatsappAdapter,
    settings: platform.settings,
    secrets: platform.secrets,
    patienceMs,
  })
  platform.reach?.(gateway.request)
  gateway.start()
  await gateway.connected()
})
afterEach(() => gateway.judge(() => 'take'))
afterAll(async () => {
  await gateway.stop()
  await platform.close()
})

const text = (body: string, more: Readonly<Record<string, unknown>> = {}) => ({
  from: '385911234567',
  from_user_id: 'HR.1502576394655843',
  id: `wamid.${body}`,
  timestamp: '1795000000',
  type: 'text',
  text: { body },
  ...more,
})
const message = (change: Partial<OutboundMessage> = {}): OutboundMessage => ({
  key: `key/${crypto.randomUUID()}`,
  chat: platform.people.ana.id,
  thread: null,
  text: 'hello',
  format: 'plain',
  buttons: [],
  file: null,
  ...change,
})
const heard = (id: string) => gateway.taken.find((event) => event.id === id)

describe('the address of WhatsApp on the web', () => {
  const asks = (query: string) => platform.ask({ method: 'GET', query, headers: {}, body: new Uint8Array() })

  it('answers the challenge of who knows the verify token, and of nobody else', async () => {
    const query = 'hub.mode=subscribe&hub.verify_token=verify-good-1&hub.challenge=1158201444'
    expect(await asks(query)).toMatchObject({ status: 200, text: '1158201444' })
    expect(await asks(query.replace('good', 'wrong'))).toMatchObject({ status: 403 })
    expect(await asks(query.replace('hub.mode=subscribe&', ''))).toMatchObject({ status: 403 })
    expect(await asks(query.replace('1158201444', '<script>'))).toMatchObject({ status: 403 })
    expect(await asks('')).toMatchObject({ status: 403 })
  })

  it('hears nothing that is not signed with the secret of the app', async () => {
    const notice = platform.noticeOf(text('forged'))
    for (const signature of ['', 'sha256=', `sha256=${'0'.repeat(64)}`, 'sha1=abc', 'é'.repeat(71)])
      expect(await platform.notify(notice, signature)).toMatchObject({ status: 401 })
    expect(gateway.handed.some(({ id }) => id === 'wamid.forged')).toBe(false)
    expect(await platform.notify(notice)).toMatchObject({ status: 200 })
    expect(heard('wamid.forged')).toBeDefined()
  })

  it('says that it was taken only when all of a notice is in the database', async () => {
    const notice = platform.noticeOf(text('first')) as {
      entry: { changes: { value: { messages: unknown[] } }[] }[]
    }
    notice.entry[0]?.changes[0]?.value.messages.push(text('second'))
    gateway.judge(({ id }) => (id === 'wamid.second' ? 'refuse' : 'take'))
    expect(await platform.notify(notice)).toMatchObject({ status: 503 })
    gateway.judge(() => 'take')
    expect(await platform.notify(notice)).toMatchObject({ status: 200 })
    expect(heard('wamid.second')).toBeDefined()
  })

  it.each([
    [
      'a reaction',
      { ...text('r'), type: 'reaction', text: undefined, reaction: { emoji: '👍', message_id: 'x' } },
    ],
    ['a message of a group', text('g', { group_id: 'Y2FwaV9' })],
    ['one of nobody', text('n', { from: undefined, from_user_id: undefined })],
    ['a message without a time', text('t', { timestamp: 'soon' })],
    [
      'a button below nothing',
      {
        ...text('b'),
        type: 'interactive',
        text: undefined,
        interactive: { button_reply: { id: 'approve' } },
      },
    ],
    ['nothing', null],
  ])('takes %s for nothing, and is told no more of it', async (_, said) => {
    const before = gateway.handed.length
    const notice = platform.noticeOf((said ?? {}) as Readonly<Record<string, unknown>>)
    expect(await platform.notify(notice)).toMatchObject({ status: 200 })
    expect(gateway.handed.length).toBe(before)
  })

  it('takes what became of our messages, and what is no notice at all, for nothing', async () => {
    const before = gateway.handed.length
    const statuses = [{ id: 'wamid.x', status: 'failed', timestamp: '1', errors: [{ code: 131047 }] }]
    const change = {
      field: 'messages',
      value: { metadata: { phone_number_id: '106540352242922' }, statuses },
    }
    const notices = [
      { object: 'whatsapp_business_account', entry: [{ changes: [change] }] },
      '{"object":',
      '[[[[[[[[[',
      '{"object":"whatsapp_business_account","entry":[{"changes":[{"field":"messages","value":null}]}]}',
      { object: 'page', entry: [] },
    ]
    for (const notice of notices) expect(await platform.notify(notice)).toMatchObject({ status: 200 })
    expect(gateway.handed.length).toBe(before)
  })

  it('hears what is said to its own number alone', async () => {
    const notice = JSON.stringify(platform.noticeOf(text('other'))).replaceAll(
      '106540352242922',
      '999999999999999',
    )
    expect(await platform.notify(notice)).toMatchObject({ status: 200 })
    expect(heard('wamid.other')).toBeUndefined()
  })

  it('knows a person by the id that outlives no change of the number, and by the number where there is none', async () => {
    await platform.notify(platform.noticeOf(text('both')))
    expect(heard('wamid.both')).toMatchObject({ sender: { id: 'HR.1502576394655843' } })
    await platform.notify(platform.noticeOf(text('number', { from_user_id: undefined })))
    expect(heard('wamid.number')).toMatchObject({
      sender: { id: '385911234567' },
      chat: { id: '385911234567' },
    })
    await platform.notify(platform.noticeOf(text('user', { from: undefined })))
    expect(heard('wamid.user')).toMatchObject({ sender: { id: 'HR.1502576394655843' } })
  })
})

describe('sending to WhatsApp', () => {
  it.each([
    [400, 131047, 'refused'],
    [400, 131026, 'refused'],
    [429, 4, 'later'],
    [400, 131056, 'later'],
    [400, 130429, 'later'],
    [401, 190, 'later'],
    [500, 131000, 'unknown'],
    [503, 131016, 'unknown'],
    [400, 1, 'unknown'],
    [502, 0, 'unknown'],
  ] as const)('of an answer %i with the code %i says %s', async (status, code, kind) => {
    platform.answerNext(status, { code, message: 'no' })
    expect((await gateway.send(message())).kind).toBe(kind)
    await until('it to be connected', () => gateway.standings.at(-1)?.type === 'connected', patienceMs)
  })

  it('says that it is 24 hours where WhatsApp gives a number', async () => {
    platform.answerNext(400, { code: 131047, message: 'Re-engagement message' })
    expect(await gateway.send(message())).toMatchObject({ problem: expect.stringContaining('24 hours') })
  })

  it('says that it is disconnected when the token is refused, and tries again', async () => {
    platform.answerNext(401, { code: 190, message: 'expired' })
    await gateway.send(message())
    expect(gateway.standings.some(({ type }) => type === 'disconnected')).toBe(true)
    await until('it to be connected again', () => gateway.standings.at(-1)?.type === 'connected', patienceMs)
  })

  it('does not say that nothing was sent when a part of it was', async () => {
    const file = { name: 'a.txt', mediaType: 'text/plain', bytes: new Uint8Array(3) }
    const whole = message({ file, text: 'x'.repeat(1_500) })
    platform.answerNext(400, { code: 131056, message: 'slow down' }, 1)
    expect(await gateway.send(whole)).toMatchObject({ kind: 'unknown' })
  })

  it('shows the choice as buttons where it fits, and as a list where it does not', async () => {
    await gateway.send(message({ buttons: [{ label: 'Approve', data: 'approve' }] }))
    expect(platform.bodies.at(-1)).toMatchObject({ interactive: { type: 'button' } })
    await gateway.send(message({ buttons: [{ label: 'x'.repeat(21), data: 'a' }] }))
    expect(platform.bodies.at(-1)).toMatchObject({ interactive: { type: 'list' } })
    await gateway.send(message({ text: 'y'.repeat(1_025), buttons: [{ label: 'Approve', data: 'approve' }] }))
    expect(platform.bodies.at(-1)).toMatchObject({ interactive: { type: 'list' } })
  })

  it('marks what it answers as read when it begins to type', async () => {
    await platform.notify(platform.noticeOf(text('typing')))
    gateway.typing(platform.people.ana.id, null)
    await until('it to be read', () => platform.read.includes('wamid.typing'), patienceMs)
  })
})

describe('files of WhatsApp', () => {
  it('are fetched from Meta and from nowhere else', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('secret')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    platform.leadTo('777', `http://127.0.0.1:${port}/x`)
    expect(await gateway.fetch('777', 1_000)).toMatchObject({ kind: 'failed' })
    expect(asked).toEqual([])
    await new Promise((resolve) => server.close(resolve))
  })
})
