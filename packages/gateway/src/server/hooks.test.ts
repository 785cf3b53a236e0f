import { createHmac, randomBytes } from 'node:crypto'
import { CountersignError, errorCatalogue } from '@countersign/contract'
import { OpenAPIHono } from '@hono/zod-openapi'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorReply } from './failures.ts'
import { signatureOf } from './hook-signature.ts'
import { addHookRoutes } from './hooks.ts'
import type { RequestPlace } from './request-place.ts'
import type { Env } from './route.ts'

const secret = 'a value that nobody guesses'
/** As the makers of Standard Webhooks write one. */
const standardKey = randomBytes(32)
const standardSecret = `whsec_${standardKey.toString('base64')}`
const secrets = new Map([
  ['github', secret],
  ['standard', standardSecret],
])
const secretNames = new Map([
  ['sched_1', 'github'],
  ['sched_2', 'gone'],
  ['sched_3', 'standard'],
])
const time = '1772704800'
const sent = { time, delivery: 'd-1' }
let now: Date
let place: RequestPlace
let app: OpenAPIHono<Env>
let delivered: { id: string; words: string }[]

beforeEach(() => {
  now = new Date(Number(time) * 1_000)
  delivered = []
  place = { origin: null, sender: 'this computer' }
  app = new OpenAPIHono<Env>()
  app.use('*', async (context, next) => {
    context.set('place', place)
    await next()
  })
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json(errorReply(error), errorCatalogue[error.code].http)
  })
  addHookRoutes(app, {
    hook: (id) => Promise.resolve(secretNames.has(id) ? { secret: secretNames.get(id) ?? '' } : undefined),
    secretOf: (name) => Promise.resolve(secrets.get(name)),
    deliver: (_id, delivery) => {
      const repeated = delivered.some(({ id }) => id === delivery.id)
      if (!repeated) delivered.push(delivery)
      return Promise.resolve({ occurrence: 'occ_1', repeated })
    },
    clock: () => now,
  })
})

interface Sent {
  readonly id?: string
  readonly body?: string
  readonly headers?: Record<string, string>
}

const send = ({ id = 'sched_1', body = '{"action":"opened"}', headers = {} }: Sent = {}) =>
  app.request(`/hooks/${id}`, {
    method: 'POST',
    body,
    headers: {
      'countersign-timestamp': time,
      'countersign-delivery': 'd-1',
      'countersign-signature': signatureOf(secret, sent, body),
      ...headers,
    },
  })

describe('a webhook', () => {
  it('is taken with a signature over its time, its id and its bytes, and once for each delivery', async () => {
    const first = await send()
    expect(first.status).toBe(200)
    expect(await first.json()).toEqual({ ok: true, occurrence: 'occ_1', repeated: false })
    expect(await (await send()).json()).toMatchObject({ repeated: true })
    expect(delivered).toEqual([{ id: 'd-1', words: '{"action":"opened"}' }])
  })

  it('is refused alike when anything is wrong, and nothing is set off', async () => {
    const otherBody = signatureOf(secret, sent, '{"action":"closed"}')
    const wrong: Sent[] = [
      { headers: { 'countersign-signature': otherBody } },
      { headers: { 'countersign-signature': signatureOf('another value', sent, '{"action":"opened"}') } },
      { headers: { 'countersign-signature': '' } },
      { headers: { 'countersign-signature': `v1=${'0'.repeat(64)}` } },
      { headers: { 'countersign-timestamp': '1772704801' } },
      // One that was seen on its way cannot be sent again as another.
      { headers: { 'countersign-delivery': 'd-2' } },
      { headers: { 'countersign-delivery': '' } },
      { headers: { 'countersign-delivery': 'a b' } },
      { id: 'sched_none' },
      { id: 'sched_2' },
    ]
    const replies = await Promise.all(
      wrong.map(async (sent) => {
        const reply = await send(sent)
        return `${reply.status} ${await reply.text()}`
      }),
    )
    expect(new Set(replies).size).toBe(1)
    expect(replies[0]).toMatch(/^401 /)
    expect(delivered).toEqual([])
  })

  it('is refused five minutes after and before its time, and not just within', async () => {
    for (const [offset, status] of [
      [299_000, 200],
      [301_000, 401],
      [-299_000, 200],
      [-301_000, 401],
    ] as const) {
      now = new Date(Number(time) * 1_000 + offset)
      expect((await send()).status, String(offset)).toBe(status)
    }
  })

  it('is refused when it is too large, however its length is told', async () => {
    expect((await send({ body: 'x'.repeat(65_536) })).status).toBe(200)
    expect((await send({ body: 'x'.repeat(65_537) })).status).toBe(400)
  })

  it('is refused when there are too many in a minute, also with a good signature', async () => {
    for (let count = 0; count < 60; count += 1)
      await send({ headers: { 'countersign-signature': 'v1=guess' } })
    expect((await send()).status).toBe(429)
    now = new Date(now.getTime() + 60_000)
    expect((await send()).status).toBe(200)
  })

  it('from one sender elsewhere leaves room for others', async () => {
    place = { origin: 'https://home.example.com', sender: '203.0.113.7' }
    for (let count = 0; count < 120; count += 1) await send({ id: `sched_${count}x` })
    expect((await send()).status).toBe(429)
    place = { ...place, sender: '203.0.113.8' }
    expect((await send()).status).toBe(200)
  })
})

const post = (id: string, body: string, headers: Record<string, string>) =>
  app.request(`/hooks/${id}`, { method: 'POST', body, headers })

describe('a webhook of GitHub', () => {
  const signed = (body: string, key = secret) =>
    `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
  const github = (body: string, headers: Record<string, string> = {}) =>
    post('sched_1', body, {
      'x-hub-signature-256': signed(body),
      'x-github-event': 'issues',
      'x-github-delivery': 'a',
      ...headers,
    })
  const body = '{"action":"opened"}'

  it('is taken by its own headers, and once for each body, whatever id it is sent under', async () => {
    expect(await (await github(body)).json()).toMatchObject({ ok: true, repeated: false })
    expect(await (await github(body, { 'x-github-delivery': 'b' })).json()).toMatchObject({ repeated: true })
    expect(delivered.map(({ words }) => words)).toEqual([`GitHub: issues\n${body}`])
  })

  it('that only asks whether somebody is there sets nothing off', async () => {
    expect((await github('{"zen":"Keep it logically awesome."}', { 'x-github-event': 'ping' })).status).toBe(
      204,
    )
    expect(delivered).toEqual([])
  })

  it('is refused when it is signed with another secret, by the old hash, or not as JSON', async () => {
    const wrong: [string, Record<string, string>][] = [
      [body, { 'x-hub-signature-256': signed(body, 'another') }],
      [body, { 'x-hub-signature-256': signed('{"action":"closed"}') }],
      [body, { 'x-hub-signature-256': '' }],
      [body, { 'x-hub-signature-256': signed(body).toUpperCase() }],
      [
        body,
        {
          'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
          'x-hub-signature-256': '',
        },
      ],
      [body, { 'x-github-event': '' }],
      [body, { 'x-github-event': 'issues: do it' }],
      ['payload=%7B%7D', {}],
    ]
    for (const [text, headers] of wrong) expect((await github(text, headers)).status).toBe(401)
    expect(delivered).toEqual([])
  })

  it('is not made of a delivery of ours that somebody saw on its way', async () => {
    const code = signatureOf(secret, sent, body).slice('v1='.length)
    const whole = `${time}.d-1.${body}`
    expect((await github(whole, { 'x-hub-signature-256': `sha256=${code}` })).status).toBe(401)
    expect(delivered).toEqual([])
  })
})

describe('a webhook of Standard Webhooks', () => {
  const body = '{"type":"invoice.paid"}'
  const signed = (id: string, at: string, text = body, key: string | Buffer = standardKey) =>
    `v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`
  const standard = (headers: Record<string, string> = {}, hook = 'sched_3') =>
    post(hook, body, {
      'webhook-id': 'msg_1',
      'webhook-timestamp': time,
      'webhook-signature': signed('msg_1', time),
      ...headers,
    })

  it('is taken by its id, its time and its bytes, also beside the signature of another secret', async () => {
    const other = signed('msg_1', time, body, randomBytes(32))
    const both = { 'webhook-signature': `${other} ${signed('msg_1', time)}` }
    expect(await (await standard(both)).json()).toMatchObject({ ok: true, repeated: false })
    expect(await (await standard()).json()).toMatchObject({ repeated: true })
    expect(delivered).toEqual([{ id: 'standard:msg_1', words: body }])
  })

  it('is refused with another id, time, body or secret, or when it is old', async () => {
    const late = String(Number(time) - 301)
    const wrong: Record<string, string>[] = [
      { 'webhook-id': 'msg_2' },
      { 'webhook-timestamp': '1772704801' },
      { 'webhook-signature': signed('msg_1', time, '{}') },
      { 'webhook-signature': signed('msg_1', time, body, standardSecret) },
      { 'webhook-signature': 'v1,' },
      { 'webhook-signature': signed('msg_1', time).replace('v1', 'v1a') },
      { 'webhook-timestamp': late, 'webhook-signature': signed('msg_1', late) },
    ]
    for (const headers of wrong) expect((await standard(headers)).status).toBe(401)
    expect(delivered).toEqual([])
  })

  it('is refused where the secret is none of theirs: it would stand for few bytes, or for none', async () => {
    const few = Buffer.from(secret.replaceAll(' ', ''), 'base64')
    for (const key of [few, Buffer.alloc(0), secret])
      expect(
        (await standard({ 'webhook-signature': signed('msg_1', time, body, key) }, 'sched_1')).status,
      ).toBe(401)
  })
})
