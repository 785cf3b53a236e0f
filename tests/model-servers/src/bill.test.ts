import { afterEach, expect, test } from 'vitest'
import type { BilledCall } from './bill.ts'
import type { Protocol, Script, ScriptReply } from './script.ts'
import { type ModelServer, startModelServer } from './server.ts'

const PRICES = { dear: { input: 10, output: 100, cacheRead: 1 } }
const USAGE = { input: 1_000, output: 200, cached: 400, reasoning: 0 }
const DOLLARS = (600 * 10 + 400 * 1 + 200 * 100) / 1e6

const servers: ModelServer[] = []
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))))

async function serve(script: Script | ScriptReply): Promise<ModelServer> {
  const server = await startModelServer({
    script: typeof script === 'function' ? script : () => script,
    prices: PRICES,
  })
  servers.push(server)
  return server
}

function ask(server: ModelServer, protocol: Protocol, path: string, init: RequestInit = {}) {
  return fetch(server.baseUrl(protocol) + path, {
    method: 'POST',
    body: JSON.stringify({ model: 'dear', stream: true, messages: [], input: [] }),
    ...init,
  })
}

const chat = (server: ModelServer, init?: RequestInit) => ask(server, 'openai', '/chat/completions', init)

async function billOf(server: ModelServer): Promise<BilledCall | undefined> {
  await expect.poll(() => server.bill.length).toBe(1)
  return server.bill[0]
}

test('bills a whole reply by its usage, with the id that the client gave', async () => {
  const server = await serve({ text: 'Hello', usage: USAGE })
  await (await chat(server, { headers: { 'x-client-request-id': 'call-7' } })).text()
  expect(await billOf(server)).toMatchObject({
    protocol: 'openai',
    model: 'dear',
    usage: USAGE,
    sent: 'whole',
    requestId: 'call-7',
  })
})

test('bills the share that was sent when the reply is cut or the client leaves', async () => {
  const cut = await serve({
    text: 'word '.repeat(100),
    chunkSize: 5,
    usage: USAGE,
    truncateAfterBytes: 9_000,
  })
  await expect(chat(cut).then((response) => response.text())).rejects.toThrow()
  const { usage, sent } = (await billOf(cut)) ?? {}
  expect(sent).toBe('part')
  expect(usage?.input).toBe(1_000)
  expect(usage?.output).toBeGreaterThan(20)
  expect(usage?.output).toBeLessThan(180)

  const left = await serve({ text: 'word '.repeat(100), chunkSize: 5, usage: USAGE, tokenDelayMs: 10 })
  const controller = new AbortController()
  const response = await chat(left, { signal: controller.signal })
  const reader = response.body?.getReader()
  for (let pieces = 0; pieces < 5; pieces += 1) await reader?.read()
  controller.abort()
  const partly = await billOf(left)
  expect(partly?.sent).toBe('part')
  expect(partly?.usage.output).toBeLessThan(100)
  expect(left.requests[0]?.leftAt).toBeGreaterThan(0)
})

test('bills nothing for a refusal, and nothing to pay for a reply that never began', async () => {
  const refused = await serve({ status: 429 })
  await (await chat(refused)).text()
  expect(refused.bill).toEqual([])

  const reset = await serve({ text: 'Hello', usage: USAGE, truncateAfterBytes: 0 })
  await expect(chat(reset)).rejects.toThrow()
  expect(await billOf(reset)).toMatchObject({ sent: 'nothing', usage: { input: 0, output: 0 } })
})

test('tells OpenAI costs by day and page, of its own calls only', async () => {
  const server = await serve({ text: 'Hello', usage: USAGE })
  await (await chat(server)).text()
  await (await ask(server, 'responses', '/responses')).text()
  await (await ask(server, 'anthropic', '/messages')).text()
  const today = Math.floor(Date.now() / 86_400_000) * 86_400
  const page = async (query: string) =>
    (await (await fetch(`${server.url}/v1/organization/costs?${query}&bucket_width=1d`)).json()) as {
      data: { start_time: number; results: { amount: { value: number }; line_item: string | null }[] }[]
      has_more: boolean
      next_page: string | null
    }
  const first = await page(`start_time=${today - 86_400}&limit=1`)
  expect(first).toMatchObject({ object: 'page', has_more: true, data: [{ results: [] }] })
  const second = await page(`start_time=${today - 86_400}&limit=1&page=${first.next_page}`)
  expect(second).toMatchObject({ has_more: false, next_page: null, data: [{ start_time: today }] })
  expect(second.data[0]?.results).toMatchObject([{ amount: { currency: 'usd' }, line_item: null }])
  expect(second.data[0]?.results[0]?.amount.value).toBeCloseTo(2 * DOLLARS, 9)
  const grouped = await page(`start_time=${today}&group_by=line_item`)
  expect(grouped.data[0]?.results[0]?.line_item).toBe('dear')
})

test('tells Anthropic costs in cents and OpenRouter usage in dollars', async () => {
  const server = await serve({ text: 'Hello', usage: USAGE })
  await (await ask(server, 'anthropic', '/messages')).text()
  const chunks = await (await ask(server, 'openrouter', '/chat/completions')).text()
  expect(chunks).toContain(`"cost":${DOLLARS}`)
  const from = new Date(Date.now() - 86_400_000).toISOString()
  const report = (await (
    await fetch(`${server.url}/v1/organizations/cost_report?starting_at=${from}`)
  ).json()) as { data: { results: { amount: string; currency: string }[] }[] }
  const amounts = report.data.flatMap(({ results }) => results)
  expect(amounts).toMatchObject([{ currency: 'USD' }])
  expect(Number(amounts[0]?.amount)).toBeCloseTo(DOLLARS * 100, 6)
  const credits = (await (await fetch(`${server.baseUrl('openrouter')}/credits`)).json()) as {
    data: { total_usage: number }
  }
  expect(credits.data.total_usage).toBeCloseTo(DOLLARS, 9)
  expect(await (await fetch(`${server.baseUrl('openrouter')}/key`)).json()).toMatchObject({
    data: { usage: DOLLARS },
  })
})
