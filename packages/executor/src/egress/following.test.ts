import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, Socket } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEgress, defaultEgressLimits, type EgressOptions, type EgressRequest } from './egress.ts'
import { selfSigned } from './testing/self-signed.ts'

let server: Server
let port: number
let seen: { method: string | undefined; url: string | undefined; authorization: string | undefined }[]
let handle: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((request, response) => {
    const { method, url } = request
    seen.push({ method, url, authorization: request.headers.authorization })
    handle(request, response)
  })
  port = await listening(server)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
})

async function listening(listener: {
  listen(port: number, host: string, done: () => void): unknown
  address(): unknown
}): Promise<number> {
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  return (listener.address() as AddressInfo).port
}

function ask(path: string, change: Partial<EgressRequest & EgressOptions> = {}) {
  const { allow, limits, lookup, connect, ...request } = change
  const egress = createEgress({
    allow: allow ?? { ports: [], allowPrivate: [{ host: '127.0.0.1', port }] },
    limits: limits ?? defaultEgressLimits,
    ...(lookup ? { lookup } : {}),
    ...(connect ? { connect } : {}),
  })
  const url = path.startsWith('http') ? path : `http://127.0.0.1:${port}${path}`
  const usual = { method: 'GET', url, headers: {}, body: null, maxBytes: 1e6, timeoutMs: 3_000 } as const
  return egress.request({ ...usual, redirects: 'same-host', ...request }, new AbortController().signal)
}

/** `/3` leads to `/2`, that to `/1`, and that to `/0`, which answers. */
const countdown: typeof handle = (request, response) => {
  const left = Number(request.url?.slice(1))
  if (left === 0) response.end('here')
  else response.writeHead(302, { location: `/${left - 1}` }).end('moved')
}

describe('a redirect of the same host', () => {
  it('is followed five times and then handed back', async () => {
    handle = countdown
    expect(await ask('/5')).toMatchObject({
      kind: 'response',
      status: 200,
      hops: 5,
      url: `http://127.0.0.1:${port}/0`,
    })
    expect(seen).toHaveLength(6)
    expect(await ask('/6')).toMatchObject({
      kind: 'response',
      status: 302,
      hops: 5,
      location: `http://127.0.0.1:${port}/0`,
    })
    expect(seen).toHaveLength(12)
  })

  it('is handed back at once where the permit does not allow it', async () => {
    handle = countdown
    expect(await ask('/1', { redirects: 'refused' })).toMatchObject({ status: 302, hops: 0 })
    expect(seen).toHaveLength(1)
  })

  it('ends when it leads in a circle', async () => {
    handle = (_request, response) => response.writeHead(307, { location: '/again' }).end()
    expect(await ask('/')).toMatchObject({ status: 307, hops: 5 })
  })

  it('shares one time with all hops', async () => {
    handle = (request, response) => {
      setTimeout(() => countdown(request, response), 120)
    }
    expect(await ask('/5', { timeoutMs: 300 })).toEqual({ kind: 'timeout', sent: true })
    expect(seen.length).toBeLessThan(5)
  })

  it('costs nothing for a body that never ends', async () => {
    handle = (request, response) => {
      if (request.url === '/0') response.end('here')
      else {
        response.writeHead(302, { location: '/0' })
        const flood = setInterval(() => response.write('x'.repeat(10_000)), 1)
        response.on('close', () => clearInterval(flood))
      }
    }
    expect(await ask('/1', { maxBytes: 1000 })).toMatchObject({ status: 200, hops: 1 })
  })

  it('fails when its address is longer than headers may be', async () => {
    handle = (_request, response) => response.writeHead(302, { location: `/${'x'.repeat(40_000)}` }).end()
    expect(await ask('/')).toMatchObject({ kind: 'failed', reason: 'connection', sent: true })
  })

  it('is resolved anew, and stops at a name that has turned', async () => {
    handle = countdown
    let asked = 0
    const lookup = async () => [(asked += 1) === 1 ? '93.184.216.34' : '127.0.0.1']
    const connect: EgressOptions['connect'] = (options, callback) => pretend(options.hostname, callback)
    const allow = { ports: [port], allowPrivate: [] }
    const result = await ask(`http://turns.test:${port}/1`, { lookup, connect, allow })
    expect(result).toMatchObject({ kind: 'failed', reason: 'redirect', sent: true })
    expect(result).toMatchObject({ message: expect.stringContaining('127.0.0.1 is loopback') })
    expect(seen.map(({ url }) => url)).toEqual(['/1'])
  })

  it('loses its credentials with its port', async () => {
    const other = createServer((request, response) => {
      seen.push({ method: request.method, url: request.url, authorization: request.headers.authorization })
      response.writeHead(302, { location: `http://two.test:${port}/back` }).end()
    })
    const otherPort = await listening(other)
    const connect: EgressOptions['connect'] = (options, callback) =>
      // Port 80 of the name is the other server; only a dialler can say so without being root.
      pretend(options.hostname, callback, options.port === '80' ? otherPort : port, Number(options.port))
    handle = (request, response) => {
      if (request.url === '/back') response.end('back')
      else response.writeHead(302, { location: 'http://two.test/away' }).end()
    }
    const allow = { ports: [port], allowPrivate: [] }
    const lookup = async () => ['93.184.216.34']
    const headers = { authorization: 'Bearer x' }
    expect(await ask(`http://two.test:${port}/`, { allow, lookup, connect, headers })).toMatchObject({
      status: 200,
      hops: 2,
    })
    expect(seen.map(({ url, authorization }) => [url, authorization])).toEqual([
      ['/', 'Bearer x'],
      ['/away', undefined],
      ['/back', undefined],
    ])
    other.close()
  })
})

describe('what a server may do to a client', () => {
  it('is not believed with a certificate that nobody signed', async () => {
    let requests = 0
    const secure = createSecureServer(selfSigned, (_request, response) => {
      requests += 1
      response.end('secret')
    })
    const securePort = await listening(secure)
    const allow = { ports: [], allowPrivate: [{ host: '127.0.0.1', port: securePort }] }
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      const result = await ask(`https://127.0.0.1:${securePort}/`, { allow })
      expect(result).toMatchObject({ kind: 'failed', reason: 'connection', sent: false })
      expect(result).toMatchObject({ message: expect.stringContaining('certificate') })
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
    expect(requests).toBe(0)
    secure.close()
  })

  it('does not include a bomb in brotli', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(200_000_000), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    })
    handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(bomb)
    expect(await ask('/', { maxBytes: 1e9 })).toMatchObject({ kind: 'failed', reason: 'ratio' })
  })

  it('does not include more than sixteen megabytes', async () => {
    handle = (request, response) =>
      response.end(Buffer.alloc(16 * 1024 * 1024 + Number(request.url?.slice(1))))
    expect(await ask('/0', { maxBytes: 1e9 })).toMatchObject({ kind: 'response' })
    expect(await ask('/1', { maxBytes: 1e9 })).toMatchObject({ kind: 'failed', reason: 'too-large' })
  })

  it('does not include headers that never end, fast or slow', async () => {
    const drip = async (text: string, everyMs: number) => {
      const sockets: Socket[] = []
      const raw = createRawServer((socket) => {
        sockets.push(socket)
        socket.on('error', () => undefined)
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write(text), everyMs)
        socket.on('close', () => clearInterval(timer))
      })
      const rawPort = await listening(raw)
      const allow = { ports: [], allowPrivate: [{ host: '127.0.0.1', port: rawPort }] }
      const result = await ask(`http://127.0.0.1:${rawPort}/`, { allow, timeoutMs: 500 })
      for (const socket of sockets) socket.destroy()
      raw.close()
      return result
    }
    expect(await drip(`x: ${'y'.repeat(5000)}\r\n`, 1)).toMatchObject({
      kind: 'failed',
      reason: 'connection',
    })
    expect(await drip('x: y\r\n', 50)).toEqual({ kind: 'timeout', sent: true })
    expect(await drip('HTTP/1.1 103 Early Hints\r\n\r\n', 50)).toMatchObject({ sent: true })
  })
})

/** Connects to the server here, and says that it is the public address that was dialled. */
function pretend(
  address: string,
  callback: Parameters<NonNullable<EgressOptions['connect']>>[1],
  to = port,
  as = to,
): void {
  const socket = new Socket()
  socket.once('connect', () => {
    Object.defineProperties(socket, { remoteAddress: { value: address }, remotePort: { value: as } })
    callback(null, socket)
  })
  socket.once('error', (error) => callback(error, null))
  socket.connect(to, '127.0.0.1')
}
