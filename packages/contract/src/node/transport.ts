/** Owns a plain HTTP request for programs that live for one answer: it loads a tenth of what `fetch` does. */
import { Readable } from 'node:stream'
import type { Transport, TransportReply } from '../client/http.ts'

export const nodeTransport: Transport = (url, options) => {
  // A gateway elsewhere is reached over TLS, where loading it is the smaller part.
  if (url.protocol !== 'http:') return fetch(url, options)
  // Loaded with the first request: most of what a command does before one is to find out that none is needed.
  const { request } = process.getBuiltinModule('node:http')
  const { method, headers, body, signal } = options
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal }, (incoming) => {
      const status = incoming.statusCode ?? 0
      const reply: TransportReply = {
        ok: status >= 200 && status < 300,
        status,
        headers: {
          get: (name) => {
            const value = incoming.headers[name]
            return typeof value === 'string' ? value : null
          },
        },
        async text() {
          incoming.setEncoding('utf8')
          const parts: string[] = await incoming.toArray()
          return parts.join('')
        },
        get body() {
          return Readable.toWeb(incoming) as ReadableStream<Uint8Array>
        },
      }
      resolve(reply)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
