import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultProxyLimits, type EgressProxy, openEgressProxy, type ProxyOptions } from './proxy.ts'

let canary: Server
let port: number
let connections: number
let requests: IncomingMessage[]
let open: EgressProxy[]

beforeAll(async () => {
  canary = createServer((request, response) => {
    requests.push(request)
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => response.end(request.url === '/large' ? 'x'.repeat(200_000) : `saw ${text}`))
  })
  canary.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  port = (canary.address() as AddressInfo).port
})
afterAll(() => {
  canary.closeAllConnections()
  canary.close()
})
beforeEach(() => {
  connections = 0
  requests = []
  open = []
})
afterEach(async () => {
  for (const proxy of open) await proxy.close()
})

/** The canary stands for the one place that a permit names and the operator has opened. */
async function start(changes: Partial<ProxyOptions> = {}): Promise<EgressProxy> {
  const proxy = await openEgressProxy({
    allow: (host, wanted) => ['127.0.0.1', 'dev.local', 'other.local'].includes(host) && wanted === port,
    policy: {
      ports: [port],
      allowPrivate: [
        { host: '127.0.0.1', port },
        { host: 'dev.local', port },
      ],
    },
    lookup: async () => ['127.0.0.1'],
    listen: { server: await listener() },
    signal: new AbortController().signal,
    ...changes,
  })
  open.push(proxy)
  return proxy
}

/** Stands for one that only a single program reaches. */
async function listener(): Promise<NetServer> {
  const given = createNetServer()
  await new Promise<void>((resolve) => given.listen(0, '127.0.0.1', resolve))
  return given
}

function socketTo({ address }: EgressProxy): Socket {
  const [host = '', number = ''] = address.split(':')
  return connect(Number(number), host)
}

/** Sends bytes as they are and gives back everything until the end. */
function raw(proxy: EgressProxy, text: string, next?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = socketTo(proxy)
    let answer = ''
    let isNextSent = next === undefined
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString()
      if (isNextSent || !answer.includes('\r\n\r\n')) return
      isNextSent = true
      socket.write(next ?? '')
    })
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
    socket.write(text)
  })
}

const connectTo = (place: string): string => `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`

describe('the egress proxy', () => {
  it('tunnels to the place that the permit names', async () => {
    const proxy = await start()
    const answer = await raw(proxy, connectTo(`127.0.0.1:${port}`), get('/inside'))
    expect(answer).toMatch(/^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 OK/)
    expect(requests.map((request) => request.url)).toEqual(['/inside'])
    expect(proxy.refused()).toEqual([])
  })

  it('forwards plain http in absolute form, with its body and without what belongs to the hop', async () => {
    const proxy = await start()
    const answer = await new Promise<string>((resolve) => {
      const outgoing = httpRequest(
        {
          createConnection: () => socketTo(proxy),
          method: 'POST',
          path: `http://127.0.0.1:${port}/form`,
          headers: { host: `127.0.0.1:${port}`, 'proxy-authorization': 'Basic x', 'x-kept': 'yes' },
        },
        (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve(text))
        },
      )
      outgoing.end('body')
    })
    expect(answer).toBe('saw body')
    expect(requests[0]?.url).toBe('/form')
    expect(requests[0]?.headers).toMatchObject({ 'x-kept': 'yes' })
    expect(requests[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('refuses every other place, with no connection', async () => {
    const proxy = await start()
    const places = [
      `127.0.0.1:${port + 1}`,
      `127.0.0.2:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `localhost:${port}`,
      `0.0.0.0:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f000001:${port}`,
      `user@127.0.0.1:${port}`,
      `127.0.0.1:${port}@example.org:443`,
      '169.254.169.254:80',
      'metadata.google.internal:80',
      'example.org:443',
      '127.0.0.1',
      `127.0.0.1:${port}/`,
      `127.0.0.1:0${port}0`,
      ':80',
      '',
    ]
    for (const place of places) {
      const answer = await raw(proxy, connectTo(place))
      expect({ place, isOpen: / 200 /.test(answer.split('\r\n')[0] ?? '') }).toEqual({ place, isOpen: false })
    }
    expect(connections).toBe(0)
    expect(proxy.refused().length).toBeGreaterThanOrEqual(places.length - 3)
  })

  it('refuses a place that the permit names but the operator has not opened', async () => {
    const proxy = await start()
    expect(await raw(proxy, connectTo(`other.local:${port}`))).toContain('127.0.0.1 is loopback')
    expect(await raw(proxy, connectTo(`dev.local:${port}`), get('/'))).toContain('200 OK')
    expect(connections).toBe(1)
  })

  it('refuses a name with one answer that is not public, and one that turned between two connections', async () => {
    let asked = 0
    const dialled: string[] = []
    const proxy = await start({
      allow: () => true,
      policy: { ports: [port], allowPrivate: [] },
      lookup: async (host) => {
        asked += 1
        if (host === 'both.example') return ['93.184.216.34', '127.0.0.1']
        return asked === 1 ? ['93.184.216.34'] : ['127.0.0.1']
      },
      connect: (address) => {
        dialled.push(address)
        return connect(1, '127.0.0.1')
      },
    })
    expect(await raw(proxy, connectTo(`rebind.example:${port}`))).toContain('502')
    expect(await raw(proxy, connectTo(`rebind.example:${port}`))).toContain('403')
    expect(await raw(proxy, connectTo(`both.example:${port}`))).toContain('403')
    expect({ dialled, connections }).toEqual({ dialled: ['93.184.216.34'], connections: 0 })
  })

  it('sends nothing over a socket whose other end is not the checked address', async () => {
    const proxy = await start({
      allow: () => true,
      policy: { ports: [port], allowPrivate: [] },
      lookup: async () => ['93.184.216.34'],
      connect: () => connect(port, '127.0.0.1'),
    })
    expect(await raw(proxy, connectTo(`public.example:${port}`), get('/'))).toContain('403')
    expect(requests).toEqual([])
  })

  it('refuses requests that could be read in two ways', async () => {
    const proxy = await start()
    const place = `127.0.0.1:${port}`
    const attempts = [
      get('/'),
      get(`https://${place}/`),
      get(`ftp://${place}/`),
      `GET http://${place}/ HTTP/1.1\r\nHost: example.org\r\n\r\n`,
      `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nHost: example.org\r\n\r\n`,
      `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
      `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
      `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nX: a\rb\r\n\r\n`,
      `GET http://${place}/\u0000 HTTP/1.1\r\nHost: ${place}\r\n\r\n`,
      `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
      'nonsense\r\n\r\n',
    ]
    for (const attempt of attempts) {
      expect(['', '400', '403'], attempt).toContain((await raw(proxy, attempt)).slice(9, 12))
    }
    expect(connections).toBe(0)
  })

  it('authorises the second request of a connection as it did the first', async () => {
    const proxy = await start()
    const first = `GET http://127.0.0.1:${port}/a HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
    const second = `GET http://127.0.0.1:${port + 1}/b HTTP/1.1\r\nHost: 127.0.0.1:${port + 1}\r\n\r\n`
    await raw(proxy, first + second)
    expect(requests.map((request) => request.url)).toEqual(['/a'])
    expect(connections).toBe(1)
  })

  it('cuts everything at the limit of bytes', async () => {
    const proxy = await start({ limits: { ...defaultProxyLimits, maxBytes: 50_000 } })
    const answer = await raw(proxy, connectTo(`127.0.0.1:${port}`), get('/large'))
    expect(answer.length).toBeLessThan(200_000)
    expect(proxy.refused().join()).toContain('50000 bytes')
  })

  it('closes a listener that it was given', async () => {
    const server = await listener()
    const proxy = await start({ listen: { server } })
    await proxy.close()
    expect(server.listening).toBe(false)
  })

  it('answers nobody on a port of its own but the client that knows the password', async () => {
    const asked: string[] = []
    const credential = { username: 'browser', password: 'p4ss' }
    const proxy = await start({
      listen: { credential },
      allow: (host) => asked.push(host) > 0,
    })
    const place = `127.0.0.1:${port}`
    const header = (text: string) =>
      `Proxy-Authorization: Basic ${Buffer.from(text).toString('base64')}\r\nConnection: close\r\n`
    for (const first of [
      `CONNECT ${place} HTTP/1.1`,
      `GET http://${place}/ HTTP/1.1`,
      `GET http://${place}/ HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade`,
    ])
      for (const wrong of ['', header('browser:'), header('browser:p4s'), header('other:p4ss')])
        expect(await raw(proxy, `${first}\r\nHost: ${place}\r\n${wrong}\r\n`)).toMatch(/^HTTP\/1.1 407 /)
    expect([asked, connections, proxy.refused()]).toEqual([[], 0, []])
    const right = `GET http://${place}/ HTTP/1.1\r\nHost: ${place}\r\n${header('browser:p4ss')}\r\n`
    expect(await raw(proxy, right)).toMatch(/^HTTP\/1.1 200 /)
    expect(requests[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('cuts what is open and what is being opened, and serves the next', async () => {
    const gate = Promise.withResolvers<void>()
    const looking = Promise.withResolvers<void>()
    const proxy = await start({
      async lookup() {
        looking.resolve()
        await gate.promise
        return ['127.0.0.1']
      },
    })
    const closed = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve))
    const tunnel = socketTo(proxy)
    const established = new Promise((resolve) => tunnel.once('data', resolve))
    tunnel.write(connectTo(`127.0.0.1:${port}`))
    await established
    const half = socketTo(proxy)
    half.write(connectTo(`dev.local:${port}`))
    await looking.promise
    const ends = [tunnel, half].map((socket) => closed(socket.on('error', () => undefined)))
    proxy.cut()
    gate.resolve()
    await Promise.all(ends)
    expect(requests).toEqual([])
    expect(await raw(proxy, connectTo(`127.0.0.1:${port}`), get('/next'))).toContain('200 OK')
  })

  it('ends every connection when it is closed or its signal is raised', async () => {
    for (const how of ['close', 'abort']) {
      const controller = new AbortController()
      const proxy = await start({ signal: controller.signal })
      const ended = new Promise<void>((resolve) => {
        const socket = socketTo(proxy)
        socket.on('close', () => resolve()).on('error', () => undefined)
        socket.on('data', () => void (how === 'close' ? proxy.close() : controller.abort()))
        socket.write(connectTo(`127.0.0.1:${port}`))
      })
      await ended
      expect(await raw(proxy, connectTo(`127.0.0.1:${port}`))).toBe('')
    }
  })
})
