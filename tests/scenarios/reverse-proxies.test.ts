/** The gateway behind proxies with TLS, set up as docs/operators/remote-access.md says. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import { pairingText, type ServerFrame } from '@countersign/contract'
import { type Client, connect, createClient } from '@countersign/contract/client'
import { generateKey, signText } from '@countersign/contract/node'
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
/** Where npm asks. It waits until the test opens it, and then there is nothing. */
const registry = heldServer()
const slowReply = 'The first words of an answer that goes on for long. '

beforeAll(async () => {
  const planned = await Promise.all(kinds.map(async (kind) => ({ kind, ...(await plannedOrigin()) })))
  installation = await openInstallation({
    // Of a long answer so much is sent that words are in it, and then nothing for as long as somebody waits.
    script: ({ lastUser }) =>
      lastUser === 'Go on.'
        ? {
            text: slowReply.repeat(100),
            chunkSize: slowReply.length,
            tokenDelayMs: 1,
            stallAfterBytes: 3_000,
          }
        : { text: 'Hello.' },
    environment: {
      npm_config_registry: await registry.open(),
      npm_config_fetch_retries: '0',
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
  await registry.close()
})

function heldServer() {
  const held: ServerResponse[] = []
  let holds = true
  const server = createServer((_incoming, answer) => {
    if (holds) held.push(answer)
    else answer.writeHead(404).end()
  })
  return {
    async open() {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    hold() {
      holds = true
    },
    /** How many wait for an answer. */
    waiting: () => held.length,
    /** Those that wait, and whoever comes. */
    answer() {
      holds = false
      for (const answer of held.splice(0)) answer.writeHead(404).end()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Every name is this machine, as a name server would say of the operator's. */
const lookup: LookupFunction = (_name, options, found) =>
  options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface Asking {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The answer as soon as its head is there. */
async function begin(
  proxy: ReverseProxy,
  path: string,
  { method = 'GET', headers = {}, body }: Asking = {},
): Promise<IncomingMessage> {
  const how = { method, headers, ca: proxy.ca, lookup, servername: proxyName }
  const sent = request(`${proxy.origin}${path}`, how)
  sent.end(body)
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage]
  return incoming
}

async function ask(proxy: ReverseProxy, path: string, asking?: Asking): Promise<Answer> {
  const incoming = await begin(proxy, path, asking)
  const parts = (await incoming.toArray()) as Buffer[]
  const text = Buffer.concat(parts).toString()
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text }
}

/** The operator's own client, as it would be elsewhere. */
function clientAt(proxy: ReverseProxy, more: Record<string, string> = {}): Client {
  return createClient({
    url: proxy.origin,
    signer: installation.signer,
    fetch: async (url, { method, headers, body }) => {
      const incoming = await begin(proxy, `${url.pathname}${url.search}`, {
        method,
        headers: { ...headers, ...more },
        ...(body === undefined ? {} : { body }),
      })
      return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, {
        status: incoming.statusCode ?? 0,
        headers: incoming.headers as Record<string, string>,
      })
    },
  })
}

/** A socket that knows the authority of the proxy. */
function socketAt(proxy: ReverseProxy): typeof globalThis.WebSocket {
  return class extends WebSocket {
    constructor(url: string | URL) {
      super(url, connectionThrough(proxy, proxy.origin))
    }
  } as unknown as typeof globalThis.WebSocket
}

function connectionThrough(proxy: ReverseProxy, origin: string): WebSocket.ClientOptions & ConnectionOptions {
  return { ca: proxy.ca, lookup, origin, servername: proxyName }
}

async function opened(proxy: ReverseProxy, origin: string): Promise<string> {
  const address = `${proxy.origin.replace('https:', 'wss:')}/v1/socket?nonce=${randomUUID()}&address=${proxy.origin}`
  const socket = new WebSocket(address, connectionThrough(proxy, origin))
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
    const client = clientAt(proxy())
    expect((await client.devices()).origins.map(({ origin }) => origin)).toContain(proxy().origin)
  })

  it('a socket opens for a page of the origin and for no other, and its frames come at once', async () => {
    expect(JSON.parse(await opened(proxy(), proxy().origin))).toMatchObject({ type: 'challenge' })
    for (const origin of ['https://evil.example', `http://${proxyName}`, 'http://localhost:7347'])
      expect(await opened(proxy(), origin)).toContain('403')
  })

  it('a stream over HTTP arrives line by line, while it is made', async () => {
    registry.hold()
    const steps = (await clientAt(proxy()).installPart('local-embeddings'))[Symbol.asyncIterator]()
    // The registry has not answered, so that nothing but this line is made yet.
    expect((await steps.next()).value).toMatchObject({ words: expect.stringContaining('Getting the model') })
    await expect.poll(registry.waiting).toBe(1)
    const next = steps.next()
    registry.answer()
    expect((await next).value).toMatchObject({ problem: expect.any(String) })
    expect(await steps.next()).toMatchObject({ done: true })
  })

  it('an export over HTTP comes whole', async () => {
    const exported = async (client: Client) =>
      (await new Response(await client.exportLedger()).text()).trim().split('\n')
    const [before, through, after] = [
      await exported(gateway.client),
      await exported(clientAt(proxy())),
      await exported(gateway.client),
    ]
    // The last lines are signed anew for each export; what stands before and after does not change.
    const kept = before.filter((line) => after.includes(line))
    expect(kept.length).toBeGreaterThan(3)
    expect(through.filter((line) => kept.includes(line))).toEqual(kept)
  })

  it('the words of an answer come while the model still holds the rest back', async () => {
    const frames: ServerFrame[] = []
    const connection = await connect({
      url: proxy().origin,
      signer: installation.signer,
      since: null,
      onFrame: (frame) => frames.push(frame),
      WebSocket: socketAt(proxy()),
    })
    const { run } = await gateway.client.send({
      key: randomUUID(),
      session: null,
      text: 'Go on.',
      mode: 'auto',
    })
    const said = () =>
      frames.map((frame) => (frame.type === 'delta' && frame.kind === 'text' ? frame.text : '')).join('')
    await expect.poll(said).toContain('The first words of an answer')
    expect((await gateway.client.run(run ?? '')).run.state).toBe('running')
    await gateway.client.stopRun(run ?? '')
    connection.close()
    await connection.ended
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

it.each(['user', 'user by IPv6', 'tagged', 'funnel'])(
  'whoever Tailscale says asks (%s) is nobody here, and a device is itself',
  async (who) => {
    const proxy = proxies.get('tailscale') as ReverseProxy
    const forged = {
      'serve-as': who,
      'tailscale-user-login': 'owner@example.com',
      'tailscale-user-name': 'Owner',
      'tailscale-app-capabilities': '{}',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      forwarded: 'for=127.0.0.1;proto=http',
    }
    expect((await ask(proxy, '/v1/health', { headers: forged })).status).toBe(200)
    expect((await ask(proxy, '/v1/status', { headers: forged })).status).toBe(401)
    // Also not for pairing: only who was invited may ask from elsewhere.
    const key = generateKey()
    const nonce = randomUUID()
    const text = pairingText(installation.identity.trust.gateway.key, key.publicKey, nonce)
    const signature = signText(key.privateKey, text)
    const body = { key: key.publicKey, name: 'x', platform: '', reach: 3, nonce, signature }
    const pairing = await ask(proxy, '/v1/pairing/requests', {
      method: 'POST',
      headers: { ...forged, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(pairing.text).toContain('pairs by a link')
    expect((await clientAt(proxy, forged).devices()).devices).toHaveLength(1)
  },
)

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
