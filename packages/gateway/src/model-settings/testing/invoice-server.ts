/** Owns a server for tests that tells bills as OpenAI, Anthropic and OpenRouter do, in pages. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface InvoiceServerReply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface InvoiceServer {
  readonly url: string
  /** Amounts for each day as they are written: dollars, for Anthropic cents. */
  days: Map<string, readonly string[]>
  /** Days for each page, whatever is asked for. */
  perPage: number
  /** Answers in place of the bill. */
  instead: ((asked: URL) => InvoiceServerReply) | null
  readonly asked: { readonly url: URL; readonly headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

const dayMs = 86_400_000
export const adminKey = 'sk-admin-0123456789abcdef'

export async function startInvoiceServer(): Promise<InvoiceServer> {
  const http = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://127.0.0.1')
    server.asked.push({ url: asked, headers: request.headers })
    const other = server.instead?.(asked)
    const { status, headers = {}, body = '' }: InvoiceServerReply = other ?? billOf(asked, request.headers)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: InvoiceServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    days: new Map(),
    perPage: 7,
    instead: null,
    asked: [],
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }

  function billOf(asked: URL, headers: IncomingMessage['headers']): { status: number; body: string } {
    const anthropic = asked.pathname === '/v1/organizations/cost_report'
    const known = anthropic
      ? headers['x-api-key'] === adminKey && headers['anthropic-version'] === '2023-06-01'
      : headers.authorization === `Bearer ${adminKey}`
    // As some do, it repeats what it refuses.
    if (!known) return { status: 401, body: JSON.stringify({ error: `bad key ${JSON.stringify(headers)}` }) }
    if (asked.pathname === '/api/v1/activity') return { status: 200, body: activity() }
    const query = (name: string) => asked.searchParams.get(name) ?? ''
    if (anthropic)
      return paged(
        Date.parse(query('starting_at')),
        Date.parse(query('ending_at')),
        query('page'),
        (day) =>
          `{"starting_at":"${day}T00:00:00Z","ending_at":"${nextDay(day)}T00:00:00Z","results":[${amounts(day)
            .map((amount) => `{"currency":"USD","amount":"${amount}","description":null}`)
            .join()}]}`,
      )
    if (asked.pathname === '/v1/organization/costs')
      return paged(
        Number(query('start_time')) * 1_000,
        Number(query('end_time')) * 1_000,
        query('page'),
        (day) =>
          `{"object":"bucket","start_time":${Date.parse(day) / 1_000},"end_time":${Date.parse(nextDay(day)) / 1_000},"results":[${amounts(
            day,
          )
            .map(
              (amount) =>
                `{"object":"organization.costs.result","amount":{"value":${amount},"currency":"usd"}}`,
            )
            .join()}]}`,
      )
    return { status: 404, body: '{}' }
  }

  const amounts = (day: string) => server.days.get(day) ?? []

  function paged(from: number, to: number, page: string, bucket: (day: string) => string) {
    const days: string[] = []
    for (let at = from; at < to; at += dayMs) days.push(new Date(at).toISOString().slice(0, 10))
    const start = page === '' ? 0 : Number(page.replace('page_', ''))
    const end = start + server.perPage
    const more = end < days.length
    const data = days.slice(start, end).map(bucket)
    return {
      status: 200,
      body: `{"data":[${data.join()}],"has_more":${more},"next_page":${more ? `"page_${end}"` : 'null'}}`,
    }
  }

  function activity(): string {
    const rows = [...server.days].flatMap(([day, all]) =>
      all.map(
        (usage) => `{"date":"${day}","model":"a/b","usage":${usage},"byok_usage_inference":9,"requests":1}`,
      ),
    )
    return `{"data":[${rows.join()}]}`
  }
  return server
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}
