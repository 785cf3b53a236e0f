import { CountersignError, errorCatalogue } from '@countersign/contract'
import { OpenAPIHono } from '@hono/zod-openapi'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorReply } from './failures.ts'
import { addHookRoutes, signatureOf } from './hooks.ts'
import type { RequestPlace } from './request-place.ts'
import type { Env } from './route.ts'

const secret = 'a value that nobody guesses'
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
    hook: (id) =>
      Promise.resolve(
        id === 'sched_1' ? { secret: 'github' } : id === 'sched_2' ? { secret: 'gone' } : undefined,
      ),
    secretOf: (name) => Promise.resolve(name === 'github' ? secret : undefined),
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
