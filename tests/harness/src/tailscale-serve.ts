/**
 * A stand-in for Tailscale Serve, which needs an account: `tailscale-serve.ts <port> <key> <certificate> <host:port>`.
 * Written from its source: the forwarded headers and those about who asks are its own, whatever a client sent under
 * these names is gone, and the Host stays. Who asks is chosen by a header that only this stand-in knows.
 */
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:https'

const [, , port, key = '', certificate = '', to = ''] = process.argv
const [host, toPort] = to.split(':')

/** Who can ask, and what is said of them: names beyond ASCII are written as in mail. */
const askers: Readonly<Record<string, IncomingHttpHeaders>> = {
  user: {
    'x-forwarded-for': '100.101.102.103',
    'tailscale-user-login': 'somebody@example.com',
    'tailscale-user-name': '=?utf-8?q?Zo=C3=AB_=C3=98?=',
    'tailscale-user-profile-pic': 'https://example.com/somebody.png',
    'tailscale-headers-info': 'https://tailscale.com/s/serve-headers',
  },
  'user by IPv6': {
    'x-forwarded-for': 'fd7a:115c:a1e0::ab12:4843',
    'tailscale-user-login': 'somebody@example.com',
    'tailscale-user-name': 'Somebody',
    'tailscale-user-profile-pic': '',
    'tailscale-headers-info': 'https://tailscale.com/s/serve-headers',
    'tailscale-app-capabilities': '{"example.com/cap/admin":[{"role":"owner"}]}',
  },
  /** A machine that belongs to nobody. */
  tagged: { 'x-forwarded-for': '100.101.102.104' },
  /** From the internet. */
  funnel: { 'x-forwarded-for': '203.0.113.9', 'tailscale-funnel-request': '?1' },
}

/** Names that it writes itself or takes away. */
const written =
  /^(x-forwarded-(for|host|proto)|forwarded|serve-as|tailscale-(user-(login|name|profile-pic)|headers-info|funnel-request|app-capabilities))$/

function headersOf({ headers }: IncomingMessage): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !written.test(name))
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-host': headers.host,
    'x-forwarded-proto': 'https',
    ...askers[String(headers['serve-as'] ?? 'user')],
  }
}

const forwardedOf = (incoming: IncomingMessage) =>
  request({ host, port: toPort, method: incoming.method, path: incoming.url, headers: headersOf(incoming) })

const server = createServer(
  { key: readFileSync(key), cert: readFileSync(certificate) },
  (incoming, answer) => {
    const forwarded = forwardedOf(incoming)
    forwarded.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    forwarded.on('error', () => answer.destroy())
    incoming.pipe(forwarded)
  },
)

server.on('upgrade', (incoming, client, head) => {
  const forwarded = forwardedOf(incoming)
  const linesOf = (got: IncomingMessage) =>
    Object.entries(got.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  const start = (got: IncomingMessage) =>
    `HTTP/1.1 ${got.statusCode} ${got.statusMessage}\r\n${linesOf(got).join('')}\r\n`
  client.on('error', () => forwarded.destroy())
  forwarded.on('error', () => client.destroy())
  forwarded.on('response', (got) => {
    client.write(start(got))
    got.pipe(client)
  })
  forwarded.on('upgrade', (got, gateway, first) => {
    gateway.on('error', () => client.destroy())
    client.on('error', () => gateway.destroy())
    client.write(start(got))
    client.write(first)
    gateway.write(head)
    gateway.pipe(client).pipe(gateway)
  })
  forwarded.end()
})

server.listen(Number(port), '127.0.0.1')
