import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { publicOrigins } from './origins.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed))
})

/** The end of a tunnel, with something behind it. */
async function standing(answer: RequestListener, socket: 'passed' | 'not passed'): Promise<string> {
  const server = createServer(answer).listen(0, 'localhost')
  servers.push(server)
  if (socket === 'passed')
    server.on('upgrade', (request, line) => {
      const isApp = request.url?.startsWith('/v1/socket?') && request.headers.origin === originOf(server)
      line.end(`HTTP/1.1 ${isApp ? '101 Switching Protocols' : '403 Forbidden'}\r\n\r\n`)
    })
  await new Promise((listening) => server.once('listening', listening))
  return originOf(server)
}

const originOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`

const healthy: RequestListener = (request, response) =>
  request.url === '/v1/health' ? void response.end('{"ok":true}') : void response.writeHead(400).end()

test('without a public origin there is nothing to look at', async () => {
  expect(await publicOrigins([])).toMatchObject({ id: 'origins', severity: 'ok' })
})

test('an origin at which the app answers and a WebSocket opens is good', async () => {
  expect(await publicOrigins([await standing(healthy, 'passed')])).toMatchObject({ severity: 'ok', fix: '' })
})

test('a proxy that passes no WebSocket is named, with what to do', async () => {
  const [good, mute] = [await standing(healthy, 'passed'), await standing(healthy, 'not passed')]
  const finding = await publicOrigins([good, mute])
  expect(finding.severity).toBe('warning')
  expect(finding.evidence).toContain(`${mute} passes no WebSocket`)
  expect(finding.evidence).toContain(`${good} answers`)
  expect(finding.fix).toContain('Upgrade')
})

test('something else at the origin is a warning', async () => {
  const finding = await publicOrigins([await standing((_, response) => response.end('Welcome'), 'passed')])
  expect(finding).toMatchObject({ severity: 'warning' })
  expect(finding.evidence).toContain('is answered by something else')
})

test('an origin that cannot be reached from here is a hint only', async () => {
  const gone = await standing(healthy, 'passed')
  const server = servers.pop()
  await new Promise((closed) => server?.close(closed))
  const finding = await publicOrigins([gone])
  expect(finding).toMatchObject({ severity: 'hint' })
  expect(finding.evidence).toContain('cannot be reached')
})
