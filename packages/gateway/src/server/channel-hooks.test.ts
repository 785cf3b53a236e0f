import type { WebAnswer, WebRequest } from '@countersign/channels'
import { CountersignError, errorCatalogue } from '@countersign/contract'
import { OpenAPIHono } from '@hono/zod-openapi'
import { beforeEach, describe, expect, it } from 'vitest'
import { addChannelHookRoutes } from './channel-hooks.ts'
import { errorReply } from './failures.ts'
import type { RequestPlace } from './request-place.ts'
import type { Env } from './route.ts'

let now: Date
let place: RequestPlace
let app: OpenAPIHono<Env>
let asked: { name: string; request: WebRequest }[]
let answer: WebAnswer | undefined
let isLate: (name: string) => Promise<WebAnswer> | undefined

beforeEach(() => {
  now = new Date('2026-03-05T06:00:00Z')
  place = { origin: 'https://home.example.com', sender: '203.0.113.7' }
  asked = []
  isLate = () => undefined
  answer = { status: 200, mediaType: 'application/json', text: '{"ok":true}' }
  app = new OpenAPIHono<Env>()
  app.use('*', async (context, next) => {
    context.set('place', place)
    await next()
  })
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json(errorReply(error), errorCatalogue[error.code].http)
  })
  addChannelHookRoutes(app, {
    request(name, request) {
      asked.push({ name, request })
      return isLate(name) ?? Promise.resolve(name === 'phone' ? answer : undefined)
    },
    clock: () => now,
  })
})

const send = async (name = 'phone', init: RequestInit = {}, query = '') =>
  await app.request(`/hooks/channels/${name}${query}`, { method: 'POST', body: '{"a":1}', ...init })

describe('what a platform sends to a channel', () => {
  it('goes to that channel byte by byte, with the headers that tell it apart and no others', async () => {
    const body = new Uint8Array([0, 255, 123, 34])
    await send('phone', {
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-signature': 'v1,abc',
        'X-Hub-Signature-256': 'sha256=abc',
        'x-github-event': 'push',
        authorization: 'Bearer of something else',
        cookie: 'session=1',
        'x-forwarded-server': '198.51.100.1',
        'x-webhook-signature': 'no',
      },
    })
    expect(asked).toEqual([
      {
        name: 'phone',
        request: {
          method: 'POST',
          query: '',
          headers: {
            'content-type': 'application/json',
            'webhook-signature': 'v1,abc',
            'x-hub-signature-256': 'sha256=abc',
            'x-github-event': 'push',
          },
          body: Buffer.from(body),
        },
      },
    ])
  })

  it('may be a question at the address, with what stands behind it', async () => {
    await app.request('/hooks/channels/phone?hub.mode=subscribe&hub.challenge=1%2B1')
    expect(asked[0]?.request).toMatchObject({
      method: 'GET',
      query: 'hub.mode=subscribe&hub.challenge=1%2B1',
    })
    expect((await app.request('/hooks/channels/phone', { method: 'PUT', body: '' })).status).toBe(404)
  })

  it('is answered as the channel says, and never with a page', async () => {
    const first = await send()
    expect([first.status, first.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    for (const mediaType of [
      'text/html',
      'application/javascript',
      'image/svg+xml',
      'application/json; x=1',
    ]) {
      answer = { status: 200, mediaType, text: '<script>' }
      expect((await send()).headers.get('content-type')).toBe('text/plain; charset=utf-8')
    }
  })

  it('is refused alike whether it is not signed, or there is no such channel', async () => {
    answer = { status: 401, mediaType: 'text/plain', text: 'The signature is wrong: expected abc.' }
    const replies = await Promise.all(
      ['phone', 'nothing', 'x'.repeat(500), '..%2f..%2fv1', '*'].map(async (name) => {
        const reply = await send(name)
        return `${reply.status} ${await reply.text()}`
      }),
    )
    expect(new Set(replies).size).toBe(1)
    expect(replies[0]).toMatch(/^401 /)
    expect(replies[0]).not.toContain('abc')
    expect(asked.every(({ name }) => name.length <= 100)).toBe(true)
  })

  it('is refused when it is too large, however its length is told', async () => {
    expect((await send('phone', { body: 'x'.repeat(1_048_576) })).status).toBe(200)
    expect((await send('phone', { body: 'x'.repeat(1_048_577) })).status).toBe(400)
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    const told = { body: endless, duplex: 'half', headers: { 'content-length': '2' } } as RequestInit
    expect((await send('phone', told)).status).toBe(400)
    expect(asked).toHaveLength(1)
  })

  it('is heard while somebody sends their bytes one by one', async () => {
    place = { ...place, sender: '203.0.113.9' }
    const slow = new AbortController()
    const trickling = Array.from({ length: 40 }, () => {
      const body = new ReadableStream({
        start(controller) {
          slow.signal.addEventListener('abort', () => controller.close())
        },
      })
      return send('phone', { body, duplex: 'half' } as RequestInit)
    })
    const refused = await Promise.all(trickling.slice(32))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
    place = { ...place, sender: '198.51.100.1' }
    expect((await send()).status).toBe(200)
    slow.abort()
    await Promise.all(trickling)
  })

  it('is heard while another channel takes its time', async () => {
    const late = Promise.withResolvers<WebAnswer>()
    isLate = (name) => (name === 'slow' ? late.promise : undefined)
    const waiting = Array.from({ length: 20 }, () => send('slow'))
    const refused = await Promise.all(waiting.slice(16))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
    expect((await send()).status).toBe(200)
    late.resolve({ status: 200, mediaType: 'text/plain', text: 'Taken.' })
    await Promise.all(waiting)
  })

  it('is not even looked at when its sender guessed too much', async () => {
    for (let count = 0; count < 600; count += 1) await send(`guess${count}`)
    asked.length = 0
    expect((await send('guess')).status).toBe(429)
    expect(asked).toEqual([])
  })

  it('is refused when one sender guesses too much in a minute, and others are heard', async () => {
    for (let count = 0; count < 600; count += 1) await send(`guess${count}`)
    expect((await send('guess')).status).toBe(429)
    place = { ...place, sender: '203.0.113.8' }
    expect((await send('guess')).status).toBe(401)
    place = { ...place, sender: '203.0.113.7' }
    now = new Date(now.getTime() + 60_000)
    expect((await send('guess')).status).toBe(401)
  })

  it('is refused when everybody elsewhere guesses too much, and a platform is heard all the same', async () => {
    for (let sender = 0; sender < 24; sender += 1) {
      place = { ...place, sender: `203.0.113.${sender}` }
      for (let count = 0; count < 50; count += 1) await send('guess')
    }
    place = { ...place, sender: '198.51.100.1' }
    expect((await send('guess')).status).toBe(429)
    expect((await send()).status).toBe(200)
  })
})
