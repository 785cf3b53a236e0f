/** A relay between a client and the gateway: passes everything on, with the name that the gateway wants to hear, and remembers it. */
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RelayedAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
}

export interface Relay {
  readonly url: string
  readonly answers: readonly RelayedAnswer[]
  close(): Promise<void>
}

/** `change` may rewrite the body of an answer. */
export async function startRelay(
  gateway: string,
  change: (path: string, body: string, own: string) => string = (_path, body) => body,
): Promise<Relay> {
  const answers: RelayedAnswer[] = []
  const { port } = new URL(gateway)
  let own = ''
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` }
    const passed = ask({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      answer.setEncoding('utf8')
      let body = ''
      answer.on('data', (part: string) => {
        body += part
      })
      answer.once('end', () => {
        const { 'content-length': _length, ...rest } = answer.headers
        answers.push({ method, path, status: answer.statusCode ?? 0 })
        outgoing.writeHead(answer.statusCode ?? 0, rest).end(change(path, body, own))
      })
    })
    passed.once('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: own,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
