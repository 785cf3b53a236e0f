/**
 * A stand-in for Tailscale Serve, which needs an account: `tailscale-serve.ts <port> <key> <certificate> <host:port>`.
 * Written from its source: the forwarded headers and those about who asks are its own, whatever a client sent under
 * these names is gone, and the Host stays.
 */
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:https'

const [, , port, key = '', certificate = '', to = ''] = process.argv
const [host, toPort] = to.split(':')

const written = /^(x-forwarded-|forwarded$|tailscale-)/

function headersOf({ headers }: IncomingMessage): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !written.test(name))
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-for': '100.101.102.103',
    'x-forwarded-host': headers.host,
    'x-forwarded-proto': 'https',
    'tailscale-user-login': 'somebody@example.com',
    'tailscale-user-name': 'Somebody',
    'tailscale-user-profile-pic': 'https://example.com/somebody.png',
    'tailscale-headers-info': 'https://tailscale.com/s/serve-headers',
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
