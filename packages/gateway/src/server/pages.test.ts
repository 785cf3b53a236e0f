import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { routeApp } from '../testing/route-app.ts'
import { addPages, addWorker, createPages, pagePolicy } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-pages-'))
const site = join(folder, 'site')
mkdirSync(join(site, 'assets'), { recursive: true })
const script = 'console.log("hello")\n'.repeat(50)
writeFileSync(join(site, 'index.html'), '<!doctype html><title>Countersign</title>')
writeFileSync(join(site, 'sw.js'), 'self')
writeFileSync(join(site, 'manifest.webmanifest'), '{}')
writeFileSync(join(site, 'assets', 'main-Abc123.js'), script)
writeFileSync(join(site, 'assets', 'inter-Abc123.woff2'), 'font')
writeFileSync(join(folder, 'secret.txt'), 'not for anybody')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { app } = routeApp((routes) => {
  addWorker(routes, createPages(site))
  addPages(routes, createPages(site))
})

function get(path: string, headers: Record<string, string> = {}, from = app) {
  return Promise.resolve(from.request(path, { headers: { host: 'localhost:4180', ...headers } }))
}

describe('the pages', () => {
  test('come with a policy that lets them talk to the gateway only', async () => {
    const response = await get('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toBe(pagePolicy)
    expect(pagePolicy).not.toContain('unsafe-eval')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('permissions-policy')).toContain('camera=()')
    expect(response.headers.get('permissions-policy')).toContain('microphone=(self)')
    expect(response.headers.get('permissions-policy')).toContain('geolocation=(self)')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test.each(['/approvals', '/approvals/K7Q2', '/chat/ses_1', '/deep/ly/nested/'])(
    'the start page answers for the place %s',
    async (path) => {
      expect(await (await get(path)).text()).toContain('<title>Countersign</title>')
    },
  )

  test('take nothing that is sent to them: what is shared is kept by the browser alone', async () => {
    const response = await app.request('/share', { method: 'POST', body: 'a picture' })
    expect(response.status).toBe(404)
  })

  test.each(['/assets/gone-Xyz.js', '/nothing.png', '/v1/secrets', '/v1', '/metrics', '/openapi.json'])(
    'there is no page at %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(await response.text()).not.toContain('<title>')
    },
  )

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets%2f..%2f..%2fsecret.txt',
    '//secret.txt',
    '/.%00./secret.txt',
    '/assets/..\\..\\secret.txt',
  ])('nothing outside the folder is reached with %s', async (path) => {
    const response = await createPages(site).answer({
      path,
      search: '',
      host: 'localhost:4180',
      accepts: '',
      ifNoneMatch: undefined,
    })
    expect((await response?.text()) ?? '').not.toContain('not for anybody')
    expect(await (await get(path)).text()).not.toContain('not for anybody')
  })

  test('what has its content in its name is kept for good, everything else is asked for again', async () => {
    const lasting = await get('/assets/main-Abc123.js')
    expect(lasting.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(lasting.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    for (const path of ['/', '/index.html', '/sw.js', '/manifest.webmanifest']) {
      const fresh = await get(path)
      expect(fresh.headers.get('cache-control')).toBe('no-cache')
      const tag = fresh.headers.get('etag') ?? ''
      const again = await get(path, { 'if-none-match': tag })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  test('are packed as the browser likes it, and only then', async () => {
    const path = '/assets/main-Abc123.js'
    const bytes = async (accepts: string) => {
      const response = await get(path, { 'accept-encoding': accepts })
      expect(response.headers.get('vary')).toBe('accept-encoding')
      return {
        encoding: response.headers.get('content-encoding'),
        body: Buffer.from(await response.arrayBuffer()),
      }
    }
    const brotli = await bytes('gzip, deflate, br, zstd')
    expect(brotli.encoding).toBe('br')
    expect(brotliDecompressSync(brotli.body).toString()).toBe(script)
    const zipped = await bytes('gzip, br;q=0')
    expect(zipped.encoding).toBe('gzip')
    expect(gunzipSync(zipped.body).toString()).toBe(script)
    const plain = await bytes('')
    expect([plain.encoding, plain.body.toString()]).toEqual([null, script])
    const font = await get('/assets/inter-Abc123.woff2', { 'accept-encoding': 'br' })
    expect(font.headers.get('content-encoding')).toBeNull()
  })

  test.each(['127.0.0.1:4180', '[::1]:4180'])('asked for at %s lead to the name', async (host) => {
    const response = await get('/approvals/K7Q2?from=mail', { host })
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe('http://localhost:4180/approvals/K7Q2?from=mail')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await get('/v1/nothing', { host })).status).toBe(404)
  })

  test.each([null, join(folder, 'never-built')])(
    'say how to get them where there are none (%s)',
    async (none) => {
      const { app: bare } = routeApp((routes) => addPages(routes, createPages(none)))
      const response = await get('/', {}, bare)
      expect(response.status).toBe(503)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await response.text()).toContain('vite build packages/web')
      expect((await get('/v1/nothing', {}, bare)).status).toBe(404)
    },
  )
})

describe('a worker that somebody left behind', () => {
  const asked = { 'service-worker': 'script' }

  test.each(['/sw.js', '/evil.js', '/a/b/evil.js', '/v1/evil.js', '/metrics', '/openapi.json', '/'])(
    'gets ours at %s, for the whole site',
    async (path) => {
      const response = await get(path, asked)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('self')
      expect(response.headers.get('content-type')).toContain('javascript')
      expect(response.headers.get('service-worker-allowed')).toBe('/')
      expect(response.headers.get('cache-control')).toBe('no-store')
    },
  )

  test('is never told that it is the newest, nor led elsewhere', async () => {
    const tag = (await get('/sw.js')).headers.get('etag') ?? ''
    expect((await get('/sw.js', { 'if-none-match': tag })).status).toBe(304)
    expect((await get('/sw.js', { ...asked, 'if-none-match': tag })).status).toBe(200)
    expect((await get('/evil.js', { ...asked, host: '127.0.0.1:4180' })).status).toBe(200)
  })
})
