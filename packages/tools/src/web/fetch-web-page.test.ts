import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { fetchWebPage } from './fetch-web-page.ts'

const workspace = createBareWorkspace()
let server: Server
let origin: string

const words = 'word '.repeat(2000)
const pages: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/': (response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<html><head><title>A page</title></head><body><a href="/other">Other</a><p>Text</p></body></html>`,
      ),
  '/long': (response) => response.setHeader('content-type', 'text/plain').end(words),
  '/json': (response) => response.setHeader('content-type', 'application/json').end('{"a":1}'),
  '/latin': (response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(Buffer.from('<meta charset=latin1><p>\xfcber', 'latin1')),
  '/pdf': (response) => response.setHeader('content-type', 'application/pdf').end('%PDF-1.7'),
  '/nameless': (response) => response.end('%PDF-1.7'),
  '/moved': (response) => response.writeHead(302, { location: 'https://other.example/x' }).end(),
  '/mail': (response) => response.writeHead(302, { location: 'mailto:a@b.test' }).end(),
  '/gone': (response) => response.writeHead(410).end('gone'),
}

beforeAll(async () => {
  server = createServer((request, response) => pages[request.url ?? '']?.(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  workspace.remove()
})

const read = async (path: string, more = {}) =>
  (await workspace.use(fetchWebPage, { url: `${origin}${path}`, ...more })).result

describe('fetch_web_page', () => {
  it('gives the title, the text and the links', async () => {
    const result = await read('/')
    expect(result).toMatchObject({ ok: true, summary: `Read ${origin}/ (A page)` })
    expect(result.text).toMatch(/^# A page\n/)
    expect(result.text).toContain('Text')
    expect(result.text).toContain(`${origin}/other`)
  })

  it('cuts a long page and says how to read on', async () => {
    const first = await read('/long', { maxChars: 400 })
    expect(first.text).toContain(`[${words.length - 400} characters more; call again with from: 400.]`)
    const next = await read('/long', { maxChars: 400, from: words.length - 100 })
    expect(next.text).not.toContain('more;')
    expect((await read('/long', { from: 1e6 })).text).toContain('no more text')
    expect((await read('/long', { maxChars: 1e9 })).text.length).toBeLessThan(100_100)
  })

  it('passes text and JSON through, and reads other charsets', async () => {
    expect((await read('/json')).text).toContain('{"a":1}')
    expect((await read('/latin')).text).toContain('über')
  })

  it('says what cannot be read as a page', async () => {
    expect(await read('/pdf')).toMatchObject({
      ok: false,
      text: expect.stringContaining('application/pdf (8 B)'),
    })
    expect(await read('/nameless')).toMatchObject({ ok: false, text: expect.stringContaining('not text') })
    expect(await read('/gone')).toMatchObject({ ok: false, text: expect.stringContaining('410') })
  })

  it('gives another host back instead of going there', async () => {
    const { ok, text } = await read('/moved')
    expect(ok).toBe(false)
    expect(text).toContain('It leads to https://other.example/x; call again with that address to go there.')
    expect((await read('/mail')).text).toContain('It leads to no web address.')
  })

  it('is a fetch that may be led on within its host, and refuses a closed address', async () => {
    expect(await workspace.resolve(fetchWebPage, { url: origin })).toMatchObject({
      resources: [{ method: 'GET', redirects: 'same-host' }],
      effects: [{ verb: 'fetch', scope: 'boundary', outward: false, leaves: ['the address'] }],
    })
    expect(await workspace.resolve(fetchWebPage, { url: 'http://closed.test' })).toMatchObject({
      kind: 'invalid',
    })
  })
})
