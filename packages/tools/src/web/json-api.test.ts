import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { parseExact, pickPath } from './exact-json.ts'
import { jsonApi } from './json-api.ts'

const workspace = createBareWorkspace()
let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const { accept, 'content-type': type } = request.headers
      if (request.url === '/echo')
        response.end(JSON.stringify({ method: request.method, accept, type, body }))
      else if (request.url === '/large') response.end('{"items":[{"id":1234567890123456789},{"id":0.1}]}')
      else if (request.url === '/text') response.end('plain')
      else if (request.url === '/empty') response.writeHead(204).end()
      else if (request.url === '/wrong') response.writeHead(422).end('{"error":"no"}')
      else response.writeHead(307, { location: 'https://other.example/' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  workspace.remove()
})

const ask = async (path: string, more = {}) =>
  (await workspace.use(jsonApi, { url: `${origin}${path}`, ...more })).result

describe('json_api', () => {
  it('sends an object as JSON and lays the answer out', async () => {
    const { text } = await ask('/echo', { method: 'POST', body: { a: [1, { b: null }] } })
    expect(text).toBe(
      `200\n${JSON.stringify(
        {
          method: 'POST',
          accept: 'application/json',
          type: 'application/json',
          body: '{"a":[1,{"b":null}]}',
        },
        null,
        2,
      )}`,
    )
    const own = await ask('/echo', { headers: { Accept: 'application/vnd.x+json' }, path: 'accept' })
    expect(own.text).toBe('200\n"application/vnd.x+json"')
  })

  it('picks a part, with numbers as they were written', async () => {
    expect((await ask('/large', { path: 'items.0.id' })).text).toBe('200\n1234567890123456789')
    expect((await ask('/large', { path: 'items.1' })).text).toBe('200\n{\n  "id": 0.1\n}')
  })

  it('says what there is where the path leads nowhere', async () => {
    expect(await ask('/large', { path: 'items.7.id' })).toMatchObject({
      ok: false,
      text: '200, but the answer has nothing at items.7. There is: a list of 0 to 1',
    })
    expect((await ask('/large', { path: 'constructor' })).text).toContain('There is: items')
    expect((await ask('/large', { path: 'items.length' })).ok).toBe(false)
  })

  it('tells an empty answer, another language, a refusal and a redirect apart', async () => {
    expect(await ask('/empty')).toMatchObject({ ok: true, text: '204, with no answer.' })
    expect(await ask('/text')).toMatchObject({ ok: false, text: expect.stringContaining('plain') })
    expect(await ask('/wrong')).toMatchObject({ ok: false, text: '422\n{\n  "error": "no"\n}' })
    expect(await ask('/away')).toMatchObject({
      ok: false,
      text: expect.stringContaining('It leads to https://other.example/'),
    })
  })

  it('is a fetch for GET, which may be led on within its host, and outward for the rest', async () => {
    expect(await workspace.resolve(jsonApi, { url: origin })).toMatchObject({
      resources: [{ redirects: 'same-host' }],
      effects: [{ verb: 'fetch', outward: false }],
    })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(await workspace.resolve(jsonApi, { url: origin, method, body: { a: 1 } })).toMatchObject({
        resources: [{ redirects: 'refused' }],
        effects: [{ verb: 'send', outward: true, leaves: ['the address', 'a body of 7 B'] }],
      })
    }
  })

  it('refuses a body on GET, one that is no object, and a broken header', () => {
    expect(parseArgs(jsonApi, { url: origin, body: {} })).toMatchObject({ kind: 'invalid' })
    expect(parseArgs(jsonApi, { url: origin, method: 'POST', body: '{}' })).toMatchObject({ kind: 'invalid' })
    expect(parseArgs(jsonApi, { url: origin, headers: { a: 'b\nc' } })).toMatchObject({ kind: 'invalid' })
  })
})

describe('a part of JSON', () => {
  it('is found by names and positions that the text holds', () => {
    const parsed = parseExact('{"a":{"b":[10,20]},"__proto__":{"c":1}}')
    if (parsed.kind !== 'json') throw new Error(parsed.reason)
    expect(pickPath(parsed.value, 'a.b.1')).toEqual({ kind: 'picked', value: 20 })
    expect(pickPath(parsed.value, '__proto__.c')).toEqual({ kind: 'picked', value: 1 })
    for (const path of ['toString', 'a.__proto__', 'a.b.length', 'a.b.-1', 'a.b.1.x', 'a..b'])
      expect(pickPath(parsed.value, path)).toMatchObject({ kind: 'missing' })
  })
})
