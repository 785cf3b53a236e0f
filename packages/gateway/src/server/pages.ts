/**
 * Owns the pages of the web app: a list of files that is read once, and nothing but these. Refuses to guess: a path is
 * looked up as it came, so that none can lead out of the folder.
 */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { sha256Hex } from '@countersign/contract/node'
import { contentHeader } from './proof.ts'
import type { App } from './route.ts'

export interface PageRequest {
  /** As it came, without the query. */
  readonly path: string
  /** With the question mark; empty where there is none. */
  readonly search: string
  readonly host: string
  readonly accepts: string
  readonly ifNoneMatch: string | undefined
}

export interface Pages {
  /** Undefined where there is no such page. */
  answer(request: PageRequest): Promise<Response | undefined>
  /** The worker's script, whole and never kept by anybody. */
  worker(accepts: string): Promise<Response | undefined>
}

/** The pages load what the gateway itself serves, and talk to nobody else. */
export const pagePolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const guarded = {
  'content-security-policy': pagePolicy,
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), geolocation=(self), gyroscope=(), magnetometer=(), microphone=(self), midi=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const alreadySmall: readonly string[] = ['.png', '.webp', '.woff2', '.ico']

const incomplete = `The pages of the web app are not here.

In the repository, build them:  node_modules/.bin/vite build packages/web
In an installation they come with the package, in the folder web beside gateway.js: install countersign again.
The command line works without them:  countersign chat
`

/** Never a page, whether or not somebody answers there. */
const reserved = /^\/(?:v1|metrics|openapi\.json)(?:\/|$)/

type Encoding = 'br' | 'gzip' | 'identity'

interface Page {
  readonly file: string
  readonly extension: string
  /** Its name changes with its content. */
  readonly lasting: boolean
  content: Promise<{ readonly bytes: Buffer; readonly hash: string; readonly tag: string }> | undefined
  readonly packed: Map<Encoding, Promise<Buffer>>
}

/** Null, or a folder without a start page, answers every page with the reason. */
export function createPages(folder: string | null): Pages {
  const pages = folder === null ? new Map<string, Page>() : pagesIn(folder)
  const start = pages.get('/index.html')

  const pagesOf: Pages = {
    async answer({ path, search, host, accepts, ifNoneMatch }) {
      const page = pages.get(path) ?? (isPlace(path) ? start : undefined)
      if (page === undefined && !(isPlace(path) && start === undefined)) return undefined
      const name = numericHost(host)
      // A passkey belongs to a name, and an address is none.
      if (name !== undefined) return moved(`http://localhost${name}${path}${search}`)
      if (page === undefined) return missing()
      const { bytes, hash, tag } = await contentOf(page)
      const headers = {
        ...guarded,
        'content-type': types[page.extension] ?? 'application/octet-stream',
        'cache-control': page.lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
        etag: tag,
        vary: 'accept-encoding',
        [contentHeader]: hash,
      }
      if (ifNoneMatch?.split(',').some((each) => each.trim() === tag))
        return new Response(null, { status: 304, headers })
      const encoding = alreadySmall.includes(page.extension) ? 'identity' : chosen(accepts)
      const body = await packedOf(page, encoding, bytes)
      return new Response(new Uint8Array(body), {
        status: 200,
        headers: { ...headers, ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }) },
      })
    },
    async worker(accepts) {
      const asked = { path: '/sw.js', search: '', host: 'localhost', accepts, ifNoneMatch: undefined }
      const script = await pagesOf.answer(asked)
      script?.headers.set('cache-control', 'no-store')
      script?.headers.set('service-worker-allowed', '/')
      return script
    },
  }
  return pagesOf
}

/**
 * Before every other route. Whoever had this port while the gateway was down may have left a worker behind, which stands
 * before every page. Its browser asks for its script again, under any address and past the worker itself, and gets ours;
 * ours takes over. It is never told that the script it has is the newest: it could have been marked as ours.
 */
export function addWorker(app: App, pages: Pages): void {
  app.use('*', async (context, next) => {
    if (context.req.header('service-worker') !== 'script') return next()
    return (await pages.worker(context.req.header('accept-encoding') ?? '')) ?? context.notFound()
  })
}

/** After every other route: whatever is not the API is a page, or nothing. */
export function addPages(app: App, pages: Pages): void {
  app.get('*', async (context) => {
    const { pathname, search } = new URL(context.req.url)
    if (reserved.test(pathname)) return context.notFound()
    const answer = await pages.answer({
      path: pathname,
      search,
      host: context.req.header('host') ?? '',
      accepts: context.req.header('accept-encoding') ?? '',
      ifNoneMatch: context.req.header('if-none-match'),
    })
    return answer ?? context.notFound()
  })
}

function pagesIn(folder: string): Map<string, Page> {
  const pages = new Map<string, Page>()
  if (!existsSync(folder)) return pages
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    pages.set(path, {
      file,
      extension: extname(entry.name),
      lasting: path.startsWith('/assets/'),
      content: undefined,
      packed: new Map(),
    })
  }
  return pages
}

/** A place within the app, which its start page finds: nothing that looks like a file, nothing of the API. */
function isPlace(path: string): boolean {
  return !path.slice(path.lastIndexOf('/')).includes('.')
}

/** The port after an address that stands where a name should. */
function numericHost(host: string): string | undefined {
  return /^(?:127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
    .exec(host)
    ?.slice(1)
    .map((port) => port ?? '')[0]
}

function moved(location: string): Response {
  return new Response(null, { status: 308, headers: { ...guarded, location, 'cache-control': 'no-store' } })
}

function missing(): Response {
  return new Response(incomplete, {
    status: 503,
    headers: { ...guarded, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}

function contentOf(page: Page) {
  page.content ??= readFile(page.file).then((bytes) => {
    const hash = sha256Hex(bytes)
    return { bytes, hash, tag: `"${hash.slice(0, 40)}"` }
  })
  return page.content
}

function chosen(accepts: string): Encoding {
  const offered = accepts.split(',').map((each) => each.trim().split(';'))
  const takes = (name: string) =>
    offered.some(([each, quality]) => each === name && !/^\s*q=0(?:\.0*)?$/.test(quality ?? ''))
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}

const withBrotli = promisify(brotliCompress)
const withGzip = promisify(gzip)

/** Packed once, the first time that somebody asks for it so. */
function packedOf(page: Page, encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  if (encoding === 'identity') return Promise.resolve(bytes)
  const known = page.packed.get(encoding)
  if (known) return known
  const packed =
    encoding === 'br'
      ? withBrotli(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } })
      : withGzip(bytes, { level: 9 })
  page.packed.set(encoding, packed)
  return packed
}
