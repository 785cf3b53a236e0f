/** Makes HTTP requests that are wrong in one way or another, as the bytes that go over the wire. */
import { Buffer } from 'node:buffer'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { Holder } from '../../../../../packages/executor/src/testing/statements.ts'
import { signed } from '../access/caller.ts'
import type { Route } from '../access/route.ts'
import { damaged, oddValue } from './damage.ts'

export interface HttpTarget {
  readonly port: number
  readonly gateway: string
  readonly routes: readonly Route[]
  /** May look only, so that none of its requests may change anything. */
  readonly look: Holder
}

export function httpFrame(random: Random, target: HttpTarget): Buffer {
  const frame = wholeRequest(random, target)
  return random.below(4) === 0 ? frame : damaged(frame, random)
}

function wholeRequest(random: Random, { port, gateway, routes, look }: HttpTarget): Buffer {
  const route = random.pick(routes)
  const path = pathFor(random, route.template)
  const body = route.method === 'GET' ? '' : bodyFor(random)
  const asked = { method: route.method, path, body }
  // Nobody is heard at the routes of a device's own; who looks would be.
  const isOwn = /\/(push|devices\/statements|pairing)/.test(path)
  const identity = random.below(3) === 0 || isOwn ? {} : signed(look, asked, { port, gateway })
  const headers = {
    host: `127.0.0.1:${port}`,
    'content-type': random.pick(['application/json', 'text/plain', 'application/json; charset=x', '']),
    ...identity,
    ...random.pick(oddHeaders),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = random.below(20) === 0 ? random.pick(oddLengths) : String(Buffer.byteLength(body))
  if (!('transfer-encoding' in headers)) lines.push(`content-length: ${length}`)
  const version = random.below(50) === 0 ? random.pick(['HTTP/0.9', 'HTTP/1.0', 'HTTP/2.0', '']) : 'HTTP/1.1'
  return Buffer.from(`${route.method} ${path} ${version}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

const oddLengths = ['-1', '0', '+5', '5, 5', '99999999999', '0x10', '1e3', '']
const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  {},
  {},
  { 'transfer-encoding': 'chunked' },
  { 'transfer-encoding': 'chunked, identity' },
  { expect: '100-continue' },
  { connection: 'upgrade', upgrade: 'websocket' },
  { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'x' },
  { connection: 'upgrade', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' },
  { origin: 'null' },
  { 'x-forwarded-for': '127.0.0.1', 'x-http-method-override': 'DELETE' },
  { cookie: 'a=b' },
  { range: 'bytes=0-,5-2,-1' },
  { 'if-none-match': '"\u00e9"' },
  { 'accept-encoding': 'gzip;q=x, *;q=-1' },
]

function pathFor(random: Random, template: string): string {
  const plain = template.replaceAll(/\{\w+\}/g, () => random.pick(oddNames))
  switch (random.below(12)) {
    case 0:
      return random.pick(oddPaths)
    case 1:
      return `${plain}?${random.pick(oddQueries)}`
    case 2:
      return `http://127.0.0.1${plain}`
    default:
      return plain
  }
}

const oddNames = [
  'x',
  'run_1',
  '%00',
  '%',
  '..',
  '%2e%2e',
  '__proto__',
  `a${'b'.repeat(300)}`,
  "';--",
  '%f0%9f%99%82',
]
const oddPaths = [
  '//',
  '/',
  '*',
  '/%',
  '//[',
  'http://[',
  '/v1/socket',
  '//v1/socket',
  'socket',
  '/\\',
  '/v1/%c0%af',
  ':',
  '///:0',
]
const oddQueries = [
  'since=-1',
  'since=1e999',
  'limit=0',
  'limit=NaN',
  'state[]=x',
  'ref=%',
  'ref=%00',
  'a&a&a',
  '%',
]

function bodyFor(random: Random): string {
  switch (random.below(5)) {
    case 0:
      return ''
    case 1:
      return '['.repeat(1 + random.below(3_000))
    case 2:
      return '{"a":1,"a":2}'
    default:
      return JSON.stringify(oddValue(random))
  }
}
