import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboundEvent } from '../frame/events.ts'
import type { OutboundMessage, WebRequest } from '../frame/protocol.ts'
import { describeChannel } from '../testing/conformance.ts'
import { createTestGateway, until as untilWithin, type Verdict } from '../testing/test-gateway.ts'
import { webhookAdapter } from './adapter.ts'
import { WebhookSettings } from './manifest.ts'
import { createVerifier } from './signature.ts'
import { incoming, outgoing, signedRequest, startWebhook, type WebhookPlatform } from './testing/platform.ts'

describeChannel({
  adapter: webhookAdapter,
  open: startWebhook,
  without: {
    forwarded: 'A program has nobody whom it passes on.',
    edits: 'What was posted cannot be changed.',
    deletes: 'What was posted cannot be taken back.',
    'files-in': 'A message is a text.',
    secrets: 'Whether a secret is the right one is seen only when somebody signs with another.',
    connection: 'Nothing is held open: each request is by itself.',
  },
})

const patienceMs = 20_000
const until = (what: string, isSo: () => boolean) => untilWithin(what, isSo, patienceMs)

describe('a web hook', () => {
  let platform: WebhookPlatform
  beforeAll(async () => {
    platform = await startWebhook()
  })
  afterAll(() => platform.close())

  async function open(
    secrets: Readonly<Record<string, string>> = platform.secrets,
    settings = platform.settings,
  ) {
    const gateway = createTestGateway({ adapter: webhookAdapter, settings, secrets, patienceMs })
    gateway.start()
    await gateway.connected()
    return gateway
  }

  /** What is answered to a request, and what was handed over because of it. */
  async function answered(
    request: WebRequest,
    { secrets = platform.secrets, verdict = (): Verdict => 'take' } = {},
  ) {
    const gateway = await open(secrets)
    gateway.judge(verdict)
    const answer = await gateway.request(request)
    await gateway.stop()
    return { ...answer, handed: gateway.handed }
  }

  const textOf = (events: readonly InboundEvent[]) =>
    events.map((event) => (event.type === 'message' ? event.text : event.type))
  const withHeaders = (request: WebRequest, headers: Readonly<Record<string, string | undefined>>) => ({
    ...request,
    headers: Object.fromEntries(
      Object.entries({ ...request.headers, ...headers }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
    ),
  })

  describe('signed as Standard Webhooks say', () => {
    it('is a message of its source, and nobody stands behind it', async () => {
      const { status, handed } = await answered(
        signedRequest('{"text":"The build is red."}', { id: 'msg_1' }),
      )
      expect(status).toBe(200)
      expect(handed).toMatchObject([
        {
          id: 'standard:msg_1',
          text: 'The build is red.',
          chat: { id: 'hook', kind: 'private' },
          sender: { id: 'hook', name: 'hook', proven: true, bot: false },
        },
      ])
    })

    it('may speak for several in several conversations, and not for another source', async () => {
      const body = '{"text":"Hi","from":"ana","chat":"garden","timestamp":"2026-11-18T20:00:00+01:00"}'
      const { handed } = await answered(signedRequest(body))
      expect(handed).toMatchObject([
        {
          chat: { id: 'hook/garden' },
          sender: { id: 'hook/ana', name: 'ana' },
          at: '2026-11-18T19:00:00.000Z',
        },
      ])
    })

    it('is read as it stands where it has no text, in a fence that it cannot close', async () => {
      const { handed } = await answered(signedRequest('{ "type": "x",\n "data": "```` end" }'))
      expect(textOf(handed)).toEqual(['`````json\n{"type":"x","data":"```` end"}\n`````'])
    })

    it('is cut where it is very long', async () => {
      const long = await answered(signedRequest(JSON.stringify({ data: 'x'.repeat(500_000) })))
      expect(textOf(long.handed)[0]?.length).toBeLessThan(21_000)
      const text = await answered(signedRequest(JSON.stringify({ text: `${'x'.repeat(99_999)}😀` })))
      expect(textOf(text.handed)[0]?.length).toBe(100_000)
    })

    it('is accepted with the secret before it, and with one of several signatures', async () => {
      const newer = `whsec_${Buffer.from('the secret after the one before').toString('base64')}`
      const secrets = { secret: newer, previous: incoming, sending: outgoing }
      const request = signedRequest('{"text":"Hi"}')
      expect(await answered(request, { secrets })).toMatchObject({ status: 200 })
      const signature = request.headers['webhook-signature'] ?? ''
      const several = withHeaders(request, { 'webhook-signature': `v1a,AAAA v1,BBBB ${signature}` })
      expect(await answered(several, { secrets })).toMatchObject({ status: 200 })
    })

    it('is answered with success only when it was taken, and is the same when it comes again', async () => {
      const request = signedRequest('{"text":"Hi"}')
      expect(await answered(request, { verdict: () => 'refuse' })).toMatchObject({ status: 503 })
      const gateway = await open()
      for (let times = 0; times < 3; times += 1)
        expect(await gateway.request(request)).toMatchObject({ status: 200 })
      expect(gateway.handed.length).toBe(3)
      expect(gateway.taken.length).toBe(1)
      await gateway.stop()
    })

    it('is not believed where anything of it is wrong, and all of that looks the same', async () => {
      const request = signedRequest('{"text":"Hi"}')
      const minutes = (count: number) => new Date(Date.now() + count * 60_000)
      const wrong = [
        { ...request, body: new TextEncoder().encode('{"text":"Ho"}') },
        { ...request, body: Uint8Array.of(0xff) },
        withHeaders(request, { 'webhook-id': 'msg_other' }),
        withHeaders(request, { 'webhook-id': undefined }),
        withHeaders(request, { 'webhook-timestamp': undefined }),
        withHeaders(request, { 'webhook-timestamp': '1' }),
        withHeaders(request, { 'webhook-timestamp': 'NaN' }),
        withHeaders(request, { 'webhook-signature': undefined }),
        withHeaders(request, { 'webhook-signature': '' }),
        withHeaders(request, { 'webhook-signature': 'v1,' }),
        withHeaders(request, { 'webhook-signature': 'v1' }),
        withHeaders(request, { 'webhook-signature': `v1,${'A'.repeat(43)}=` }),
        withHeaders(request, {
          'webhook-signature': request.headers['webhook-signature']?.replace('v1', 'v2'),
        }),
        signedRequest('{"text":"Hi"}', { at: minutes(-6) }),
        signedRequest('{"text":"Hi"}', { at: minutes(6) }),
        // What we said is not what somebody else said.
        signedRequest('{"text":"Hi"}', { secret: outgoing }),
        { ...request, headers: {} },
      ]
      for (const one of wrong)
        expect(await answered(one)).toEqual({
          status: 401,
          mediaType: 'text/plain',
          text: 'The signature is missing or wrong.',
          handed: [],
        })
      expect(await answered(signedRequest('{"text":"Hi"}', { at: minutes(-4) }))).toMatchObject({
        status: 200,
      })
    })

    it('is sent back where it cannot be read', async () => {
      for (const body of ['', 'Hi', '{', '{"text":" "}', '{"text":""}'])
        expect(await answered(signedRequest(body))).toMatchObject({ status: 400, handed: [] })
      for (const id of ['a b', 'é', 'x'.repeat(201)])
        expect(await answered(signedRequest('{"text":"Hi"}', { id }))).toMatchObject({
          status: 400,
          handed: [],
        })
      const large = signedRequest(JSON.stringify({ text: 'x'.repeat(1_048_576) }))
      expect(await answered(large)).toMatchObject({ status: 413, handed: [] })
      expect(await answered({ ...signedRequest('{}'), method: 'GET' })).toMatchObject({ status: 405 })
    })

    it('says hostile things about itself without harm', async () => {
      for (const body of [
        '{"text":"Hi","from":7,"chat":{}}',
        '{"text":"Hi","timestamp":"0000-01-01T00:00:00+01:00"}',
      ])
        expect(await answered(signedRequest(body))).toMatchObject({ status: 200 })
      for (const body of ['null', '7', '"Hi"', '[]', '{"__proto__":{"text":"x"}}', '{"text":7}'])
        expect(textOf((await answered(signedRequest(body))).handed)[0]).toContain('```json')
    })
  })

  describe('from GitHub', () => {
    const secret = 'It is known to GitHub'
    const secrets = { github: secret }
    const sign = (
      body: string | Uint8Array,
      event = 'push',
      id = '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    ) => ({
      method: 'POST' as const,
      query: '',
      headers: {
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body: Buffer.from(body),
    })
    const settings = { source: 'github' }
    async function from(request: WebRequest) {
      const gateway = await open(secrets, settings)
      const answer = await gateway.request(request)
      await gateway.stop()
      return { ...answer, handed: gateway.handed }
    }

    it('is an event with its body', async () => {
      const { status, handed } = await from(sign('{"ref": "refs/heads/main", "text": "not ours"}'))
      expect(status).toBe(200)
      expect(handed).toMatchObject([
        {
          // Of its body: whoever saw it cannot send it again under another id.
          id: expect.stringMatching(/^github:[0-9a-f]{64}$/) as string,
          text: 'GitHub: push\n```json\n{"ref":"refs/heads/main","text":"not ours"}\n```',
          sender: { id: 'github', proven: true },
        },
      ])
    })

    it('is greeted when it only says that it is there', async () => {
      expect(await from(sign('{"zen":"Keep it logically awesome."}', 'ping'))).toMatchObject({
        status: 200,
        handed: [],
      })
    })

    it('is signed as the documentation of GitHub shows', () => {
      const signedBy = createVerifier({ github: "It's a Secret to Everybody" })
      const headers = {
        'x-github-event': 'push',
        'x-github-delivery': '1',
        'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      }
      const text = 'Hello, World!'
      expect(signedBy({ headers, body: Buffer.from(text), text })).toMatchObject({ by: 'github', id: '1' })
    })

    it('is not believed without the right signature', async () => {
      const good = sign('{}')
      const digest = good.headers['x-hub-signature-256']
      for (const one of [
        '',
        'sha256=',
        'sha256=00',
        digest.toUpperCase(),
        digest.slice(0, -1),
        `${digest}0`,
        digest.replace('sha256', 'sha1'),
        `sha256=${'0'.repeat(64)}`,
      ])
        expect(await from(withHeaders(good, { 'x-hub-signature-256': one }))).toMatchObject({
          status: 401,
          handed: [],
        })
      expect(await from({ ...good, body: Buffer.from('{ }') })).toMatchObject({ status: 401 })
      // With the secret of another scheme there is none for this one.
      expect(await answered(good)).toMatchObject({ status: 401, handed: [] })
    })

    it('is sent back where its headers or its body cannot be read', async () => {
      expect(await from(sign('{}', 'push\nx'))).toMatchObject({ status: 400 })
      expect(await from(sign('{}', ''))).toMatchObject({ status: 400 })
      expect(await from(sign('{}', 'push', ''))).toMatchObject({ status: 400 })
      expect(await from(sign('payload=%7B%7D'))).toMatchObject({ status: 400 })
      expect(await from(sign(Uint8Array.of(0x22, 0xff, 0x22)))).toMatchObject({ status: 400 })
    })
  })

  describe('for what is sent', () => {
    let count = 0
    const message = (text: string, chat = 'hook'): OutboundMessage => {
      count += 1
      return { key: `answer/${count}`, chat, thread: null, text, format: 'plain', buttons: [], file: null }
    }

    it('posts it signed, under its key', async () => {
      const gateway = await open()
      const one = message('Hello')
      expect(await gateway.send(one)).toEqual({ kind: 'sent', message: one.key })
      expect(await gateway.send({ ...message('Bonjour'), key: 'clé\n2' })).toMatchObject({ kind: 'sent' })
      expect(platform.arrived.slice(-2)).toMatchObject([
        { id: one.key, chat: null, text: 'Hello' },
        { chat: null, text: 'Bonjour' },
      ])
      await gateway.stop()
    })

    it.each([
      [200, 'sent'],
      [204, 'sent'],
      [301, 'refused'],
      [307, 'refused'],
      [400, 'refused'],
      [401, 'refused'],
      [404, 'refused'],
      [410, 'refused'],
      [408, 'unknown'],
      [429, 'later'],
      [500, 'unknown'],
      [502, 'unknown'],
      [503, 'later'],
    ])('understands the answer %i as %s', async (status, kind) => {
      const gateway = await open()
      platform.answer(status, { location: 'http://127.0.0.1:1/', 'retry-after': '7' })
      const result = await gateway.send(message('Hello'))
      expect(result.kind).toBe(kind)
      if (result.kind === 'later') expect(result.afterMs).toBe(7_000)
      await gateway.stop()
    })

    it('keeps it while the receiver is away', async () => {
      const gateway = await open()
      await platform.away()
      expect(await gateway.send(message('Hello'))).toMatchObject({ kind: 'later' })
      await platform.back()
      expect(await gateway.send(message('Hello'))).toMatchObject({ kind: 'sent' })
      await gateway.stop()
    })

    it('refuses it where there is no address', async () => {
      const gateway = await open({ secret: incoming }, { source: 'hook' })
      expect(await gateway.send(message('Hello'))).toMatchObject({ kind: 'refused' })
      await gateway.stop()
    })
  })

  it.each([
    ['no secret and no address', { source: 'hook' }, {}],
    ['an address and no secret for it', { url: 'https://receiver.test/' }, { secret: incoming }],
    ['one secret for both ways', { url: 'https://receiver.test/' }, { secret: incoming, sending: incoming }],
    ['a secret that is too short', { source: 'hook' }, { secret: 'whsec_c2hvcnQ=' }],
    ['a secret that is no base64', { source: 'hook' }, { secret: 'correct horse battery staple' }],
  ])('is rejected with %s', async (_, settings, secrets: Readonly<Record<string, string>>) => {
    const gateway = createTestGateway({ adapter: webhookAdapter, settings, secrets, patienceMs })
    gateway.start()
    await until('it to be rejected', () => gateway.standings.at(-1)?.type === 'rejected')
    for (const secret of Object.values(secrets))
      expect(JSON.stringify(gateway.standings)).not.toContain(secret)
    await gateway.stop()
  })

  it.each([
    { source: 'a/b' },
    { source: '' },
    { url: 'file:///etc/passwd' },
    { url: 'https://me:secret@receiver.test' },
    { ulr: '' },
  ])('does not take the settings %j', (settings) => {
    expect(WebhookSettings.safeParse(settings).success).toBe(false)
  })
})
