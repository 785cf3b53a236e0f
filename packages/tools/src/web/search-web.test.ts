import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { searchWeb } from './search-web.ts'

const workspace = createBareWorkspace()
let server: Server
let origin: string
let asked: { method: string | undefined; url: URL; headers: IncomingMessage['headers']; body: string }[]
let answer: { status: number; body: unknown }

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const { method, headers } = request
      asked.push({ method, url: new URL(request.url ?? '', origin), headers, body })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  workspace.remove()
})
beforeEach(() => {
  asked = []
})

const search = async (args: Record<string, string | number>) =>
  (await workspace.use(searchWeb, { query: 'green tea', ...args })).result

const brave = {
  type: 'search',
  query: { original: 'green tea' },
  web: {
    type: 'search',
    results: [
      {
        title: 'Green tea',
        url: 'https://a.test/tea',
        description: 'All about <strong>tea</strong> &amp; water.',
      },
      { title: 'Script', url: 'javascript:alert(1)', description: 'no' },
      { title: '', url: 'https://b.test/', description: 'x'.repeat(900) },
    ],
  },
}

describe('search_web', () => {
  it('asks Brave with the handle of its key and lists what it found', async () => {
    answer = { status: 200, body: brave }
    const result = await search({ endpoint: `${origin}/res/v1/web/search`, maxResults: 5 })
    expect(result.text).toBe(
      `1. Green tea\n   https://a.test/tea\n   All about tea & water.\n\n2. b.test\n   https://b.test/\n   ${'x'.repeat(500)}…`,
    )
    const [request] = asked
    expect(request?.url.searchParams.get('q')).toBe('green tea')
    expect(request?.url.searchParams.get('count')).toBe('5')
    expect(request?.headers['x-subscription-token']).toBe('{{secret:brave_search}}')
  })

  it('asks Tavily with a bearer key', async () => {
    const results = [{ title: 'T', url: 'https://a.test/', content: 'c', score: 0.9 }]
    answer = { status: 200, body: { query: 'green tea', results, response_time: 0.1 } }
    const result = await search({ provider: 'tavily', endpoint: `${origin}/search` })
    expect(result.text).toBe('1. T\n   https://a.test/\n   c')
    expect(asked[0]).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer {{secret:tavily}}' } })
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ query: 'green tea', max_results: 10 })
  })

  it('asks an instance of SearXNG without a key', async () => {
    const results = [
      { title: 'S', url: 'https://s.test/', content: 'c', engine: 'x' },
      { title: 'S2', url: 'https://s.test/2' },
    ]
    answer = { status: 200, body: { query: 'green tea', number_of_results: 0, results } }
    const result = await search({ provider: 'searxng', endpoint: `${origin}/`, maxResults: 1 })
    expect(result.text).toBe('1. S\n   https://s.test/\n   c')
    expect(asked[0]?.url.pathname).toBe('/search')
    expect(asked[0]?.url.searchParams.get('format')).toBe('json')
    expect(parseArgs(searchWeb, { query: 'x', provider: 'searxng' })).toMatchObject({ kind: 'invalid' })
  })

  it('says which secret it uses', () => {
    if (searchWeb.runs !== 'executor') throw new Error('elsewhere')
    expect(searchWeb.secrets?.({ provider: 'brave' })).toEqual(['brave_search'])
    expect(searchWeb.secrets?.({ provider: 'tavily' })).toEqual(['tavily'])
    expect(searchWeb.secrets?.({ provider: 'searxng' })).toEqual([])
  })

  it('lets the search words be words only', async () => {
    answer = { status: 200, body: brave }
    await search({ query: '{{secret:mine}}&count=99', endpoint: `${origin}/s` })
    expect(asked[0]?.url.search).not.toContain('{{')
    expect(asked[0]?.url.searchParams.getAll('count')).toEqual(['10'])
  })

  it('says what leaves, and where to', async () => {
    expect(await workspace.resolve(searchWeb, { query: 'x' })).toMatchObject({
      resources: [{ host: 'api.search.brave.com', method: 'GET', redirects: 'refused' }],
      effects: [{ verb: 'fetch', leaves: ['the search words', 'the secret brave_search'] }],
    })
    expect(await workspace.resolve(searchWeb, { query: 'x', provider: 'tavily' })).toMatchObject({
      resources: [{ host: 'api.tavily.com', method: 'POST' }],
      effects: [{ verb: 'fetch', outward: false }],
    })
    expect(await workspace.resolve(searchWeb, { query: 'x', endpoint: 'http://closed.test' })).toMatchObject({
      kind: 'invalid',
    })
  })

  it('gives ten results unless told, and twenty at most', () => {
    expect(parseArgs(searchWeb, { query: 'x' })).toMatchObject({ args: { maxResults: 10 } })
    expect(parseArgs(searchWeb, { query: 'x', maxResults: 50 })).toMatchObject({ args: { maxResults: 20 } })
    expect(parseArgs(searchWeb, { query: 'x', maxResults: 0 })).toMatchObject({ kind: 'invalid' })
  })

  it('says what to do when the service refuses or answers something else', async () => {
    const endpoint = `${origin}/s`
    answer = { status: 401, body: {} }
    expect(await search({ endpoint })).toMatchObject({
      ok: false,
      text: expect.stringContaining('countersign secret set brave_search --host 127.0.0.1'),
    })
    answer = { status: 429, body: {} }
    expect(await search({ endpoint })).toMatchObject({ ok: false, text: expect.stringContaining('later') })
    answer = { status: 403, body: '' }
    expect(await search({ endpoint, provider: 'searxng' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('json'),
    })
    for (const body of ['<html>', '[]', '{"web":{"results":{}}}', 'null']) {
      answer = { status: 200, body }
      expect(await search({ endpoint }), body).toMatchObject({ ok: false })
    }
    answer = { status: 200, body: { type: 'search' } }
    expect(await search({ endpoint })).toMatchObject({ ok: true, summary: 'Found nothing' })
  })
})
