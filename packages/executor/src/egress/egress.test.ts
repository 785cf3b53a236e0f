import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createEgress,
  defaultEgressLimits,
  type EgressOptions,
  type EgressRequest,
  type EgressResult,
} from './egress.ts'
import { describeTarget } from './target.ts'

let server: Server
let port: number
let connections: number
let handle: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((request, response) => handle(request, response))
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  port = address.port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  connections = 0
  handle = (_request, response) => response.end('hello')
})

function ask(
  url: string,
  changes: Partial<EgressRequest & EgressOptions> = {},
  signal?: AbortSignal,
): Promise<EgressResult> {
  const { allow, limits, lookup, connect: dial, ...request } = changes
  const egress = createEgress({
    allow: allow ?? { ports: [port], allowPrivate: [] },
    limits: limits ?? defaultEgressLimits,
    ...(lookup === undefined ? {} : { lookup }),
    ...(dial === undefined ? {} : { connect: dial }),
  })
  const usual = {
    method: 'GET',
    url,
    headers: {},
    body: null,
    maxBytes: 100_000,
    timeoutMs: 3_000,
    redirects: 'refused',
  } as const
  return egress.request({ ...usual, ...request }, signal ?? new AbortController().signal)
}

/** The canary is open to those who name it exactly, which is the control for all that is refused. */
function askCanary(
  path: string,
  changes: Partial<EgressRequest & EgressOptions> = {},
  signal?: AbortSignal,
): Promise<EgressResult> {
  const allow = { ports: [], allowPrivate: [{ host: '127.0.0.1', port }] }
  return ask(`http://127.0.0.1:${port}${path}`, { allow, ...changes }, signal)
}

const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0',
  '0.0.0.0',
  '127.0.0.2',
  '127.127.127.127',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '0177.0.0.01',
  '127.0.0.0x1',
  '00127.0.0.1',
  '127.0.0.1.',
  '0x7F.0x0.0x0.0x1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '127。0。0。1',
  '１２７.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127.0.0.１',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[2002:7f00:1::]',
  '[2002:7f00:0001::1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[::1%25lo]',
  '[fc00::1]',
  '[ff02::1]',
  '[2001:0:7f00:1::]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost',
  'ⓛocalhost',
  'loc%61lhost',
  'user@127.0.0.1',
  'user:pw@127.0.0.1',
  'example.com@127.0.0.1',
  '127.0.0.1@example.com',
  '@127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '192.0.0.1',
  '168.63.129.16',
  'metadata.internal',
  'rebind.example',
  'both.example',
  'six.example',
  'mapped.example',
  '',
  '.',
  '..',
  '127.0.0.1\\example.com',
]

const names: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'metadata.internal': ['169.254.169.254'],
  'rebind.example': ['127.0.0.1'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
}

const fakeLookup = (host: string): Promise<readonly string[]> => {
  const answers = names[host.replace(/\.$/, '')]
  return answers === undefined ? Promise.reject(new Error(`ENOTFOUND ${host}`)) : Promise.resolve(answers)
}

describe('the egress client and its canary', () => {
  it(`refuses ${hosts.length} spellings of places it must not reach, with no connection`, async () => {
    expect(hosts.length).toBeGreaterThanOrEqual(60)
    for (const host of hosts) {
      const result = await ask(`http://${host}:${port}/`, { lookup: fakeLookup })
      expect({ host, kind: result.kind }).toEqual({ host, kind: 'refused' })
    }
    expect(connections).toBe(0)
  })

  it('refuses urls that are not plain http or hold stray bytes, with no connection', async () => {
    const place = `127.0.0.1:${port}`
    const urls = [
      `file:///etc/passwd`,
      `ftp://${place}/`,
      `gopher://${place}/_x`,
      `unix:/tmp/socket`,
      `data:text/plain,x`,
      `//${place}/`,
      `http:${place}`,
      `http:/${place}/`,
      `http:///${place}/`,
      `http:\\\\${place}\\`,
      ` http://${place}/`,
      `http://${place}/ `,
      `ht\ntp://${place}/`,
      `http://127.0.0.1\t:${port}/`,
      `http://${place}/\0`,
      `http://${place}/\r\nHost: x`,
      `http://[::1`,
      `http://127.0.0.1:99999/`,
      `http://127.0.0.1:0/`,
      `http://example.com\u0000.x/`,
      `http://a b/`,
      `jar:http://${place}!/`,
    ]
    for (const url of urls) expect({ url, kind: (await ask(url)).kind }).toEqual({ url, kind: 'refused' })
    expect(connections).toBe(0)
  })

  it('refuses a port that is not open and reaches one that is named', async () => {
    const allow = { ports: [], allowPrivate: [] }
    expect(await ask('http://example.com:22/', { allow })).toMatchObject({ kind: 'refused', reason: 'port' })
    expect(await askCanary('/')).toMatchObject({ kind: 'response', status: 200, remoteAddress: '127.0.0.1' })
    expect(connections).toBe(1)
  })

  it('allows a named local place to the letter and not its neighbour', async () => {
    const allow = { ports: [port], allowPrivate: [{ host: 'dev.local', port }] }
    const lookup = (host: string): Promise<string[]> =>
      Promise.resolve(host === 'cloud.local' ? ['169.254.169.254'] : ['127.0.0.1'])
    expect(await ask(`http://dev.local:${port}/`, { allow, lookup })).toMatchObject({ kind: 'response' })
    expect(await ask(`http://other.local:${port}/`, { allow, lookup })).toMatchObject({
      kind: 'refused',
      reason: 'address',
    })
    expect(await ask(`http://dev.local/`, { allow, lookup })).toMatchObject({
      kind: 'refused',
      reason: 'address',
    })
    const cloud = { ports: [], allowPrivate: [{ host: 'cloud.local', port }] }
    expect(await ask(`http://cloud.local:${port}/`, { allow: cloud, lookup })).toMatchObject({
      kind: 'refused',
    })
    expect(connections).toBe(1)
  })

  it('asks for a name once, so that a second answer cannot matter, and refuses the name when it has turned', async () => {
    let asked = 0
    const dialled: string[] = []
    const lookup = (): Promise<string[]> => {
      asked += 1
      return Promise.resolve(asked === 1 ? ['93.184.216.34'] : ['127.0.0.1'])
    }
    const refuseToDial: EgressOptions['connect'] = (options, callback) => {
      dialled.push(options.hostname)
      callback(new Error('unreachable'), null)
    }
    const url = `http://rebind.example:${port}/`
    expect(await ask(url, { lookup, connect: refuseToDial })).toMatchObject({ kind: 'failed', sent: false })
    expect({ asked, dialled }).toEqual({ asked: 1, dialled: ['93.184.216.34'] })
    expect(await ask(url, { lookup })).toMatchObject({ kind: 'refused', reason: 'address' })
    expect(connections).toBe(0)
  })

  it('sends nothing over a socket whose other end is not the checked address', async () => {
    let requests = 0
    handle = (_request, response) => {
      requests += 1
      response.end()
    }
    const astray: EgressOptions['connect'] = (_options, callback) => {
      const socket = connect(port, '127.0.0.1', () => callback(null, socket))
    }
    const lookup = (): Promise<string[]> => Promise.resolve(['93.184.216.34'])
    const result = await ask(`http://public.example:${port}/`, { lookup, connect: astray })
    expect(result).toMatchObject({ kind: 'refused', reason: 'connected-address' })
    expect(requests).toBe(0)
  })

  it('hands a redirect back without following it', async () => {
    const seen: (string | undefined)[] = []
    handle = (request, response) => {
      seen.push(request.url)
      response
        .writeHead(302, { location: request.url === '/away' ? 'http://169.254.169.254/latest' : '/inner' })
        .end()
    }
    const away = await askCanary('/away', { headers: { authorization: 'Bearer x' } })
    expect(away).toMatchObject({ kind: 'response', status: 302, location: 'http://169.254.169.254/latest' })
    expect(await askCanary('/near')).toMatchObject({ location: `http://127.0.0.1:${port}/inner` })
    expect(seen).toEqual(['/away', '/near'])
  })

  it('sends method, headers and body as given, and refuses headers that frame or route', async () => {
    handle = (request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () =>
        response.end(`${request.method} ${String(request.headers['x-a'])} ${request.headers.host} ${body}`),
      )
    }
    const result = await askCanary('/', { method: 'POST', headers: { 'x-a': '1' }, body: 'data' })
    expect(textOf(result)).toBe(`POST 1 127.0.0.1:${port} data`)
    for (const name of ['Host', 'Transfer-Encoding', 'content-length', 'Connection', 'bad name']) {
      expect(await askCanary('/', { headers: { [name]: 'x' } })).toMatchObject({
        kind: 'refused',
        reason: 'header',
      })
    }
    expect(await askCanary('/', { headers: { 'x-a': 'a\r\nb: c' } })).toMatchObject({ reason: 'header' })
    for (const method of ['CONNECT', 'TRACE', 'get', 'GET /x']) {
      expect(await askCanary('/', { method })).toMatchObject({ kind: 'refused', reason: 'method' })
    }
    expect(connections).toBe(1)
  })

  it('takes a body of the allowed size and not one byte more', async () => {
    handle = (request, response) => response.end('x'.repeat(Number(request.url?.slice(1))))
    expect(await askCanary('/1000', { maxBytes: 1000 })).toMatchObject({ kind: 'response', status: 200 })
    expect(await askCanary('/1001', { maxBytes: 1000 })).toMatchObject({
      kind: 'failed',
      reason: 'too-large',
      sent: true,
    })
  })

  it('unpacks an ordinary body and stops at a bomb', async () => {
    const packed = (bytes: Buffer): void => {
      handle = (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes))
    }
    packed(Buffer.from('packed text'))
    expect(textOf(await askCanary('/'))).toBe('packed text')
    packed(Buffer.alloc(20_000_000))
    expect(await askCanary('/', { maxBytes: 1_000_000_000 })).toMatchObject({
      kind: 'failed',
      reason: 'ratio',
    })
    packed(Buffer.alloc(2_000_000))
    expect(await askCanary('/', { maxBytes: 50_000 })).toMatchObject({ kind: 'failed', reason: 'too-large' })
    handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
    expect(await askCanary('/')).toMatchObject({ kind: 'failed', reason: 'encoding' })
    handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x')
    expect(await askCanary('/')).toMatchObject({ kind: 'failed', reason: 'encoding' })
  })

  it('gives up on a body that trickles, though each byte comes in time', async () => {
    handle = (_request, response) => {
      const drip = setInterval(() => response.write('.'), 40)
      response.on('close', () => clearInterval(drip))
    }
    const limits = { ...defaultEgressLimits, slowAfterMs: 300, minBytesPerSecond: 1000 }
    expect(await askCanary('/', { limits })).toMatchObject({
      kind: 'failed',
      reason: 'slow-body',
      sent: true,
    })
  })

  it('tells a timeout and a cancellation apart, and whether anything was sent', async () => {
    handle = () => undefined
    expect(await askCanary('/', { timeoutMs: 150 })).toEqual({ kind: 'timeout', sent: true })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    expect(await askCanary('/', {}, controller.signal)).toEqual({ kind: 'cancelled', sent: true })
    expect(await askCanary('/', {}, AbortSignal.abort())).toEqual({ kind: 'cancelled', sent: false })
    const stuck = { lookup: () => new Promise<string[]>(() => undefined), timeoutMs: 100 }
    expect(await ask('http://slow.example/', stuck)).toEqual({ kind: 'timeout', sent: false })
  })

  it('does not send a request twice when the connection breaks', async () => {
    let requests = 0
    handle = (request) => {
      requests += 1
      request.socket.destroy()
    }
    expect(await askCanary('/')).toMatchObject({ kind: 'failed', reason: 'connection', sent: true })
    expect(requests).toBe(1)
  })
})

describe('the description of a target', () => {
  it('names scheme, host, port and the class of a literal address', () => {
    expect(describeTarget('https://Bücher.example/a?b=1#c')).toEqual({
      kind: 'target',
      scheme: 'https',
      asciiHost: 'xn--bcher-kva.example',
      port: 443,
      origin: 'https://xn--bcher-kva.example',
      path: '/a?b=1',
    })
    expect(describeTarget('http://127.0.0.1:8080/')).toMatchObject({ port: 8080, ipClass: 'loopback' })
    expect(describeTarget('http://[2606:4700::1]/')).toMatchObject({
      asciiHost: '2606:4700::1',
      ipClass: 'public',
    })
  })

  it('refuses what another reader could take for another place', () => {
    for (const url of [
      'http://0x7f.1/',
      'http://1.1.257/',
      'http://1.1/',
      'http://a%2eb/',
      'http://a..b/',
      'http://a\\b/',
    ]) {
      expect(describeTarget(url).kind).toBe('refused')
    }
  })
})

function textOf(result: EgressResult): string {
  if (result.kind !== 'response') throw new Error(JSON.stringify(result))
  return Buffer.from(result.body).toString('utf8')
}
