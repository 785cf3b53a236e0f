/** A service that gives back what it was sent: in its body, its headers and its complaints, in every form at once. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Canary, formsOf } from './canaries.ts'

export interface EchoService {
  readonly port: number
  /** The secrets whose values arrived, as proof that they were put in on the way out. */
  readonly arrived: ReadonlySet<string>
  close(): Promise<void>
}

export async function startEcho(canaries: readonly Canary[]): Promise<EchoService> {
  const arrived = new Set<string>()
  let answered = 0
  const server = createServer((request, response) => {
    keysIn(request).then(
      (values) => {
        const kind = answered++
        for (const { name } of canaries.filter(({ value }) => values.includes(value))) arrived.add(name)
        response.statusCode = [200, 401, 500, 302][kind % 4] ?? 200
        const [first = {}] = values.map(formsOf)
        response.setHeader('location', `/next?key=${first['percent']}&basic=${first['base64url']}`)
        response.setHeader('etag', `"${first['hex']}"`)
        response.setHeader('retry-after', first['percent of every byte'] ?? '')
        response.setHeader('content-type', kind % 2 === 0 ? 'text/plain' : 'application/json')
        response.end((kind % 2 === 0 ? asText : asJson)(values))
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function asText(values: readonly string[]): string {
  return values
    .flatMap((value) => Object.entries(formsOf(value)).map(([name, form]) => `${name}: ${form}`))
    .join('\n')
}

/** Without the form that would then be escaped a third time, which is no longer a usual one. */
function asJson(values: readonly string[]): string {
  const forms = values.map((value) =>
    Object.fromEntries(Object.entries(formsOf(value)).filter(([name]) => name !== 'json in json')),
  )
  return JSON.stringify({ error: 'bad keys', keys: values, forms })
}

async function keysIn(request: IncomingMessage): Promise<string[]> {
  const asked = new URL(request.url ?? '/', 'http://echo').searchParams.get('key')
  if (asked !== null) return [asked]
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { keys } = JSON.parse(Buffer.concat(parts).toString() || '{}') as { keys?: unknown }
  return Array.isArray(keys) ? keys.map(String) : []
}
