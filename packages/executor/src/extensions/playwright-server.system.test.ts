/** The server of Playwright as it is, with Chromium, in the sandbox: it opens pages of the hosts that were named, and no others. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverPresets } from '@countersign/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestHost, type TestHost } from '../testing/host.ts'
import { copyPackage } from './testing/package-tree.ts'
import { openRealServers, type RealServer, type RealServers } from './testing/real-servers.ts'

let named: Server
let other: Server
let asked: string[]
let folder: string
let host: TestHost
let servers: RealServers

const listening = (answer: (path: string) => string) =>
  new Promise<Server>((resolve) => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(answer(request.url ?? ''))
    }).listen(0, '127.0.0.1', () => resolve(server))
  })
const portOf = (server: Server) => (server.address() as AddressInfo).port
const opening = (url: string): RealServer => ({
  name: 'playwright',
  words: launch.words,
  tool: 'browser_navigate',
  args: { url },
  says: '',
  launch: { hosts: [{ host: '127.0.0.1', port: portOf(named) }], sockets: true },
})
const { launch } = serverPresets['playwright'] as { launch: { words: readonly string[] } }

beforeAll(async () => {
  asked = []
  named = await listening(() => '<title>Garden</title><h1>Tomatoes</h1><a href="/beans">Beans</a>')
  other = await listening((path) => {
    asked.push(path)
    return '<h1>Elsewhere</h1>'
  })
  folder = mkdtempSync(join(tmpdir(), 'playwright-server-'))
  const places = [named, other].map((server) => ({ host: '127.0.0.1', port: portOf(server) }))
  host = createTestHost({ allowPrivate: places, ports: [] })
  mkdirSync(join(host.workspace, 'notes'))
  servers = await openRealServers(host)
})
afterAll(async () => {
  await servers?.close()
  for (const server of [named, other]) await new Promise((resolve) => server?.close(resolve))
  host?.remove()
  rmSync(folder, { recursive: true, force: true })
})

it('opens a page of a host that was named', async () => {
  const program = copyPackage('@playwright/mcp', folder)
  const wish = opening(`http://127.0.0.1:${portOf(named)}/`)
  await servers.add(wish, folder, program)
  await servers.look('playwright')
  await servers.accept(wish)
  expect((await servers.call(wish)).text).toContain('Page Title: Garden')
  const shown: RealServer = { ...wish, tool: 'browser_snapshot', args: {} }
  await servers.accept(shown)
  expect((await servers.call(shown)).text).toMatch(/Tomatoes[^]*Beans/)
})

it('opens none of another host', async () => {
  const { text } = await servers.call(opening(`http://127.0.0.1:${portOf(other)}/`))
  expect(text).not.toContain('Elsewhere')
  expect(asked).toEqual([])
})
