/** The gateway behind proxies with TLS, set up as docs/operators/remote-access.md says. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { LookupFunction } from 'node:net'
import { createClient } from '@countersign/contract/client'
import {
  type GatewayProcess,
  type Installation,
  openInstallation,
  plannedOrigin,
  proxyName,
  type ReverseProxy,
  startProxy,
} from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

const kinds = ['caddy', 'nginx', 'tailscale'] as const
let installation: Installation
let gateway: GatewayProcess
const proxies = new Map<string, ReverseProxy>()

beforeAll(async () => {
  const planned = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await plannedOrigin()) })))
  installation = await openInstallation({
    script: () => ({ text: 'Hello.' }),
    environment: {
      COUNTERSIGN_PUBLIC_ORIGINS: planned.map(({ origin }) => origin).join(','),
      COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1',
    },
  })
  gateway = await installation.start()
  for (const plan of planned) proxies.set(plan.kind, await startProxy(plan.kind, plan, gateway.url))
}, 120_000)

afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.close()
  await installation.close()
})

/** Every name is this machine, as a name server would say of the operator's. */
const lookup: LookupFunction = (_name, options, found) =>
  options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

async function ask(
  proxy: ReverseProxy,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const sent = request(`${proxy.origin}${path}`, {
    method,
    headers,
    ca: proxy.ca,
    lookup,
    servername: proxyName,
  })
  sent.end(body)
  const [incoming] = await once(sent, 'response')
  const parts: Buffer[] = await incoming.toArray()
  return { status: incoming.statusCode, headers: incoming.headers, text: Buffer.concat(parts).toString() }
}

async function opened(proxy: ReverseProxy, origin: string): Promise<string> {
  const address = `${proxy.origin.replace('https:', 'wss:')}/v1/socket?nonce=${randomUUID()}&address=${proxy.origin}`
  const how = { ca: proxy.ca, lookup, origin, servername: proxyName }
  const socket = new WebSocket(address, how)
  const first = await new Promise<string>((resolve) => {
    socket.once('message', (data: Buffer) => resolve(data.toString()))
    socket.on('error', (error) => resolve(error.message))
  })
  socket.terminate()
  return first
}

describe.each(kinds)('behind %s', (kind) => {
  const proxy = () => proxies.get(kind) as ReverseProxy

  it('the pages are served with what https allows, and set no cookie', async () => {
    // Whether the app is built or not, somebody answers.
    const { headers } = await ask(proxy(), '/')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('a device is answered, and the answer is proven for the origin', async () => {
    const client = createClient({
      url: proxy().origin,
      signer: installation.signer,
      fetch: async (url, { method, headers, body }) => {
        const {
          status,
          headers: answered,
          text,
        } = await ask(proxy(), `${url.pathname}${url.search}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        })
        return new Response(text, { status, headers: answered as Record<string, string> })
      },
    })
    expect((await client.devices()).origins.map(({ origin }) => origin)).toContain(proxy().origin)
  })

  it('a socket opens for a page of the origin and for no other, and its frames come at once', async () => {
    expect(JSON.parse(await opened(proxy(), proxy().origin))).toMatchObject({ type: 'challenge' })
    for (const origin of ['https://evil.example', `http://${proxyName}`, 'http://localhost:7347'])
      expect(await opened(proxy(), origin)).toContain('403')
  })

  it('another name is refused, also with the name of this computer', async () => {
    for (const host of [
      'evil.example',
      new URL(gateway.url).host,
      `localhost:${new URL(gateway.url).port}`,
    ]) {
      const { status, text } = await ask(proxy(), '/v1/health', { headers: { host } })
      expect({ host, isServed: status === 200 && text.includes('"ok":true') }).toEqual({
        host,
        isServed: false,
      })
    }
    const crossed = await ask(proxy(), '/v1/health', { headers: { origin: 'https://evil.example' } })
    expect(crossed.status).toBe(401)
  })

  it('what a client says of its own way is not believed', async () => {
    const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    expect((await ask(proxy(), '/v1/health', { headers: forged })).status).toBe(200)
  })
})

it('whom Tailscale names is nobody here', async () => {
  const proxy = proxies.get('tailscale') as ReverseProxy
  const answer = await ask(proxy, '/v1/status', { headers: { 'tailscale-user-login': 'owner@example.com' } })
  expect(answer.status).toBe(401)
})

it('a client that names another address each time is one sender still, and is locked out after many failures', async () => {
  const proxy = proxies.get('caddy') as ReverseProxy
  const from = (count: number) => ({
    'x-forwarded-for': `203.0.113.${count}`,
    forwarded: `for=203.0.113.${count}`,
  })
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1)
    statuses.push(
      (await ask(proxy, '/v1/pairing/requests', { method: 'POST', headers: from(count), body: '{}' })).status,
    )
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  for (let count = 0; count < 20; count += 1)
    expect((await ask(proxy, '/v1/status', { headers: from(count) })).status).toBe(401)
  const locked = await ask(proxy, '/v1/pairing', { headers: from(99) })
  expect(locked.status).toBe(429)
  expect(locked.text).toContain('too many failed attempts')
  await expect
    .poll(async () => (await gateway.client.events(0)).map(({ body }) => body.type))
    .toContain('notice')
  expect((await gateway.client.devices()).devices).toHaveLength(1)
})
