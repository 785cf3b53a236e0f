import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApprovalSubject, UrlResource } from '@countersign/contract'
import type { WebRequest } from '@countersign/tools'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import type { SecretSource } from '../egress/secret-source.ts'
import { webCapabilities } from './web.ts'

const value = 'p@ss "w/o" & 100%'
let server: Server
let port: number
let seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[]

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers, body })
      if (request.url?.startsWith('/near')) response.writeHead(302, { location: '/?from=near' }).end()
      else if (request.url?.startsWith('/break')) request.socket.destroy()
      else if (request.url?.startsWith('/echo')) {
        response.writeHead(302, { location: `/?${request.url.split('?')[1]}` }).end()
      } else response.end('x'.repeat(100))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => {
  seen = []
})

const source: SecretSource = {
  value: (name, destination) =>
    name === 'mine' &&
    destination.scheme === 'http' &&
    destination.host === '127.0.0.1' &&
    destination.port === port
      ? value
      : undefined,
}

interface Terms {
  readonly resource?: Partial<UrlResource>
  readonly named?: readonly string[]
  readonly secrets?: SecretSource | undefined
}

function send(change: Partial<WebRequest> & { path?: string }, terms: Terms = {}) {
  const { path = '/', ...rest } = change
  const resource: UrlResource = {
    type: 'url',
    scheme: 'http',
    host: '127.0.0.1',
    port,
    method: rest.method ?? 'GET',
    addressClass: 'loopback',
    redirects: 'refused',
    carries: 'address',
    ...terms.resource,
  }
  const subject = { resources: [resource], secrets: terms.named ?? ['mine'] } as unknown as ApprovalSubject
  const allow = { ports: [], allowPrivate: [{ host: '127.0.0.1', port }] }
  const egress = createEgress({ allow, limits: defaultEgressLimits })
  const secrets = 'secrets' in terms ? terms.secrets : source
  const capabilities = webCapabilities(subject, { egress, ...(secrets ? { secrets } : {}) })
  return capabilities.request({
    url: `http://127.0.0.1:${port}${path}`,
    method: 'GET',
    headers: {},
    body: '',
    maxBytes: 1000,
    timeoutMs: 3000,
    signal: new AbortController().signal,
    ...rest,
  })
}

describe('the capabilities on the network', () => {
  it('reach the place that the permit names, and cut the answer', async () => {
    expect(await send({})).toMatchObject({ kind: 'response', status: 200, truncated: false })
    const cut = await send({ maxBytes: 10 })
    expect(cut).toMatchObject({ kind: 'response', truncated: true })
    expect(cut.kind === 'response' && cut.body.length).toBe(10)
  })

  it('reach no other host, port, scheme or method', async () => {
    for (const resource of [
      { host: 'other.test' },
      { port: 1 },
      { scheme: 'https' },
      { method: 'POST' },
    ] as const) {
      expect(await send({}, { resource })).toMatchObject({ kind: 'failed' })
    }
    expect(await send({ url: 'http://user@127.0.0.1/' })).toMatchObject({ kind: 'failed' })
    expect(seen).toEqual([])
  })

  it('follow a redirect of the host only if the permit says so', async () => {
    expect(await send({ path: '/near' })).toMatchObject({ status: 302 })
    expect(await send({ path: '/near' }, { resource: { redirects: 'same-host' } })).toMatchObject({
      status: 200,
      url: `http://127.0.0.1:${port}/?from=near`,
    })
  })
})

describe('a secret in a request', () => {
  it('is put into the address, a header and the body, each as its place needs it', async () => {
    const handle = '{{secret:mine}}'
    await send({
      path: `/a/${handle}?key=${handle}`,
      method: 'POST',
      headers: { authorization: `Bearer ${handle}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ key: handle }),
    })
    const [request] = seen
    expect(new URL(request?.url ?? '', 'http://x').searchParams.get('key')).toBe(value)
    expect(decodeURIComponent(request?.url?.split(/[/?]/)[2] ?? '')).toBe(value)
    expect(request?.headers.authorization).toBe(`Bearer ${value}`)
    expect(JSON.parse(request?.body ?? '')).toEqual({ key: value })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await send({ method: 'POST', headers: form, body: `key=${handle}` })
    expect(new URLSearchParams(seen[1]?.body).get('key')).toBe(value)
    await send({ method: 'POST', body: `key=${handle}` })
    expect(seen[2]?.body).toBe(`key=${value}`)
  })

  it('is not sent unless the permit names it and it is kept for exactly this place', async () => {
    const headers = { 'x-key': '{{secret:mine}}' }
    const nobody: SecretSource = { value: () => undefined }
    for (const terms of [{ named: [] }, { named: ['other'] }, { secrets: nobody }, { secrets: undefined }]) {
      expect(await send({ headers }, terms)).toMatchObject({ kind: 'failed' })
    }
    const unknown = await send({ headers: { 'x-key': '{{secret:other}}' } }, { named: ['other'] })
    expect(unknown).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('countersign secret set other --host 127.0.0.1'),
    })
    expect(seen).toEqual([])
  })

  it('cannot say where the request goes', async () => {
    for (const url of ['http://{{secret:mine}}/', `http://127.0.0.1:${port}{{secret:mine}}/`]) {
      expect(await send({ url })).toMatchObject({ kind: 'failed' })
    }
    expect(seen).toEqual([])
  })

  it('stands in no message and in no address that comes back', async () => {
    const broken: SecretSource = { value: () => 'one\ntwo' }
    const headers = { 'x-key': '{{secret:mine}}' }
    const refused = await send({ headers }, { secrets: broken })
    expect(refused).toEqual({ kind: 'failed', reason: 'Refused, nothing was sent: header, x-key.' })
    const failures = [
      await send({ path: '/break?key={{secret:mine}}', headers }),
      await send({ path: '/?key={{secret:mine}}', headers, timeoutMs: 0 }),
    ]
    const echoed = await send({ path: '/echo?key={{secret:mine}}' }, { resource: { redirects: 'same-host' } })
    expect(echoed).toMatchObject({ url: `http://127.0.0.1:${port}/?key=‹secret:mine›` })
    const plain = await send({ path: '/?key={{secret:mine}}' })
    expect(plain).toMatchObject({ url: `http://127.0.0.1:${port}/?key={{secret:mine}}` })
    for (const text of [...failures, echoed, plain].map((end) => JSON.stringify(end))) {
      expect(text).not.toContain('p@ss')
      expect(text).not.toContain('p%40ss')
    }
  })
})
