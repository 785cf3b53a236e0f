/** Owns the web of a test installation: a server on this machine that has pages and remembers every request it was sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Web {
  readonly port: number
  /** As in `http://127.0.0.1:4711`. */
  readonly origin: string
  /** What it answers with, by path. */
  pages: ReadonlyMap<string, string | Uint8Array>
  /** Every request, in order: method, address and body. */
  readonly requests: string[]
  close(): Promise<void>
}

export async function openWeb(): Promise<Web> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString()
      const url = request.url ?? ''
      requests.push(`${request.method} ${url}${body === '' ? '' : ` ${body}`}`)
      const page = web.pages.get(url.split('?', 1)[0] ?? '')
      response.statusCode = page === undefined ? 404 : 200
      const isHtml = typeof page === 'string' && page.startsWith('<a ')
      response.setHeader('content-type', `text/${isHtml ? 'html' : 'plain'}; charset=utf-8`)
      response.end(page ?? 'There is nothing here.')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const web: Web = {
    port,
    origin: `http://127.0.0.1:${port}`,
    pages: new Map(),
    requests,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return web
}
