import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { httpRequest } from './http-request.ts'

const workspace = createBareWorkspace()
let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(301, { location: '/else' }).end()
    else if (request.url === '/missing') response.writeHead(404).end('nothing')
    else response.end(`${request.method} ${String(request.headers['x-a'])}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  workspace.remove()
})

describe('http_request', () => {
  it('fetches, and gives the status with the text', async () => {
    const { result } = await workspace.use(httpRequest, { url: origin, headers: { 'x-a': 'b' } })
    expect(result).toMatchObject({ ok: true, summary: `GET ${origin}: 200` })
    expect(result.text).toMatch(/^200\n[^]*GET b$/)
    expect((await workspace.use(httpRequest, { url: `${origin}/missing` })).result.ok).toBe(false)
  })

  it('gives a redirect back', async () => {
    const { result } = await workspace.use(httpRequest, { url: `${origin}/moved` })
    expect(result.text).toMatch(/^301\n[^]*location: \/else/)
  })

  it('is a fetch across the boundary for GET, and outward for the rest', async () => {
    const effectOf = async (method: string) => workspace.resolve(httpRequest, { url: origin, method })
    expect(await effectOf('GET')).toMatchObject({
      effects: [{ verb: 'fetch', scope: 'boundary', outward: false }],
    })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await effectOf(method)).toMatchObject({
        effects: [{ verb: 'send', outward: true, reversible: false }],
      })
    }
  })

  it('says what leaves', async () => {
    const args = { url: origin, method: 'POST', headers: { b: '1', a: '2' }, body: 'ü' }
    const found = await workspace.resolve(httpRequest, args)
    expect(found).toMatchObject({ effects: [{ leaves: ['the address', 'headers: a, b', 'a body of 2 B'] }] })
  })

  it('refuses a closed address, a body on GET and a broken header', async () => {
    expect(await workspace.resolve(httpRequest, { url: 'http://closed.test' })).toMatchObject({
      kind: 'invalid',
    })
    expect(parseArgs(httpRequest, { url: origin, body: 'x' })).toMatchObject({ kind: 'invalid' })
    expect(parseArgs(httpRequest, { url: origin, headers: { a: 'b\r\nc: d' } })).toMatchObject({
      kind: 'invalid',
    })
    expect(parseArgs(httpRequest, { url: origin, method: 'CONNECT' })).toMatchObject({ kind: 'invalid' })
  })
})
