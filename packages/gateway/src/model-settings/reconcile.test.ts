import type { ProviderKind } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createReconciler, type DayAdjustment, type ReconciliationParts, reconcile } from './reconcile.ts'
import { adminKey, type InvoiceServer, startInvoiceServer } from './testing/invoice-server.ts'
import { by } from './testing/test-records.ts'

let server: InvoiceServer
/** Billionths for each day. */
let books: Map<string, number>
let booked: DayAdjustment[][]

beforeEach(async () => {
  server = await startInvoiceServer()
  books = new Map()
  booked = []
})
afterEach(() => server.close())

const now = new Date('2026-12-10T09:00:00Z')
const at = (text: string) => new Date(text)

function adjust(adjustments: readonly DayAdjustment[]): Promise<void> {
  booked.push([...adjustments])
  for (const { from, costNanos } of adjustments) {
    const day = from.toISOString().slice(0, 10)
    books.set(day, (books.get(day) ?? 0) + costNanos)
  }
  return Promise.resolve()
}

const paths: Partial<Record<ProviderKind, string>> = { openrouter: '/api/v1' }

function run(kind: ProviderKind, rest: Partial<ReconciliationParts> = {}) {
  return reconcile({
    provider: { name: kind, kind, baseUrl: `${server.url}${paths[kind] ?? '/v1'}` },
    adminKey,
    from: at('2026-11-01T00:00:00Z'),
    to: at('2026-12-01T00:00:00Z'),
    now,
    fetch,
    local: (from, to) =>
      Promise.resolve(
        new Map(
          [...books].filter(([day]) => Date.parse(day) >= from.getTime() && Date.parse(day) < to.getTime()),
        ),
      ),
    adjust,
    ...rest,
  })
}

describe.each([
  ['openai', ['0.06', '1e-7', '0.123456789123456789'], '-0.01', 183_456_889, '1.5', 5],
  ['anthropic', ['6', '0.00001', '12.3456789123456789'], '-1', 183_456_889, '150', 5],
  ['openrouter', ['0.06', '1e-7', '0.123456789123456789'], '-0.01', 183_456_889, '1.5', 1],
] as const)('the bill of %s', (kind, amounts, credit, exact, dollarAndAHalf, pages) => {
  const november = kind === 'openrouter' ? '2026-11-15T00:00:00Z' : '2026-11-01T00:00:00Z'
  const from = at(november)

  test('is read to its last page, exactly, and the books are brought to it day by day', async () => {
    server.days.set('2026-11-15', amounts)
    server.days.set('2026-11-20', [credit])
    server.days.set('2026-11-30', [dollarAndAHalf])
    server.days.set('2026-12-01', ['77'])
    books.set('2026-11-16', 5)
    books.set('2026-11-30', 1_400_000_000)
    const told = await run(kind, { from })
    expect(told).toEqual({
      provider: kind,
      from: from.toISOString(),
      to: '2026-12-01T00:00:00.000Z',
      localUsd: 1.400000005,
      billedUsd: (exact - 10_000_000 + 1_500_000_000) / 1e9,
      drift: expect.closeTo(1 - 1.400000005 / 1.673456889, 9) as number,
      adjusted: true,
      problem: null,
    })
    expect(booked.flat().map(({ from, costNanos }) => [from.toISOString().slice(0, 10), costNanos])).toEqual([
      ['2026-11-15', exact],
      ['2026-11-16', -5],
      ['2026-11-20', -10_000_000],
      ['2026-11-30', 100_000_000],
    ])
    expect(server.asked).toHaveLength(pages)
  })

  test('changes nothing the second time', async () => {
    server.days.set('2026-11-15', amounts)
    server.days.set('2026-11-30', [dollarAndAHalf])
    expect(await run(kind, { from })).toMatchObject({ adjusted: true, localUsd: 0 })
    expect(await run(kind, { from })).toMatchObject({ adjusted: false, drift: 0, localUsd: 1.683456889 })
    // Another span over the same days agrees as well.
    expect(await run(kind, { from: at('2026-11-28T00:00:00Z') })).toMatchObject({
      adjusted: false,
      localUsd: 1.5,
    })
    expect(booked).toHaveLength(1)
  })

  test('is not told without a key, nor to a key that is refused, and the key is not repeated', async () => {
    const without = await run(kind, { from, adminKey: undefined })
    expect(without).toMatchObject({ billedUsd: null, drift: null, adjusted: false })
    expect(without.problem).toMatch(
      new RegExp(`^${kind} shows its bill only with an? (admin|management) key`),
    )
    expect(server.asked).toEqual([])
    const wrong = await run(kind, { from, adminKey: 'sk-wrong-0123456789' })
    expect(wrong.problem).toMatch(/refused the key/)
    expect(JSON.stringify(wrong)).not.toContain('sk-wrong')
    const broken = await run(kind, { from, adminKey: 'sk-broken-\n0123' })
    expect(broken.problem).toMatch(/contains invalid characters/)
    expect(JSON.stringify(broken)).not.toContain('sk-broken')
    expect(booked).toEqual([])
  })

  test('is not followed to another place', async () => {
    const elsewhere = await startInvoiceServer()
    server.instead = (asked) => ({ status: 307, headers: { location: `${elsewhere.url}${asked.pathname}` } })
    expect((await run(kind, { from })).problem).toMatch(/redirected the request/)
    expect(elsewhere.asked).toEqual([])
    await elsewhere.close()
  })

  test.each([
    ['something else', 'hello'],
    ['another form', '{"data":[{"start":"then"}],"has_more":false}'],
    ['an error in the form of an answer', '{"error":{"message":"no"}}'],
    ['too much', `"${'x'.repeat(5_000_000)}"`],
  ])('is not taken from %s', async (_what, body) => {
    books.set('2026-11-20', 5)
    server.instead = () => ({ status: 200, body })
    expect((await run(kind, { from })).problem).toMatch(/is not in the expected format/)
    expect(booked).toEqual([])
  })

  test('is told another time by a server that fails, is busy or is silent', async () => {
    server.instead = () => ({ status: 500, body: 'oh' })
    expect((await run(kind, { from })).problem).toContain('status 500')
    server.instead = () => ({ status: 429 })
    expect((await run(kind, { from })).problem).toContain('limits requests')
    expect((await run(kind, { from, fetch: never, waitMs: 20 })).problem).toContain(
      'did not send its bill in time',
    )
    expect(
      (await run(kind, { from, fetch: () => Promise.reject(new TypeError(`no ${adminKey}`)) })).problem,
    ).toBe(`${kind} could not be reached. Check the address with \`countersign provider list\`.`)
  })

  test('does not go in the clear over the network of others', async () => {
    const told = await run(kind, {
      from,
      provider: { name: kind, kind, baseUrl: 'http://api.example.org/v1' },
      fetch: () => Promise.reject(new Error('asked all the same')),
    })
    expect(told.problem).toMatch(/plain http/)
  })
})

const never: typeof globalThis.fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
  })

test('a number is read as it is written, where a binary fraction would be another', async () => {
  server.days.set('2026-11-20', ['8500000.000000001'])
  await run('openai')
  expect(booked.flat()).toMatchObject([{ costNanos: 8_500_000_000_000_001 }])
  // More than can be counted exactly is no bill.
  server.days.set('2026-11-20', ['9500000'])
  expect((await run('openai')).problem).toMatch(/is not in the expected format/)
})

describe('pages', () => {
  test('that lead back or never end are left', async () => {
    const page = (next: string) => `{"data":[],"has_more":true,"next_page":${next}}`
    server.instead = () => ({ status: 200, body: page('"again"') })
    expect((await run('openai')).problem).toMatch(/is too long/)
    let count = 0
    server.instead = () => ({ status: 200, body: page(`"page ${(count += 1)}"`) })
    expect((await run('openai')).problem).toMatch(/is too long/)
    expect(count).toBe(60)
    server.instead = () => ({ status: 200, body: page('null') })
    expect((await run('anthropic')).problem).toMatch(/is not in the expected format/)
  })

  test('of another currency are no bill', async () => {
    const body =
      '{"data":[{"starting_at":"2026-11-20T00:00:00Z","results":[{"amount":"5","currency":"EUR"}]}],"has_more":false}'
    server.instead = () => ({ status: 200, body })
    expect((await run('anthropic')).problem).toMatch(/is not in the expected format/)
  })
})

describe('days', () => {
  const none = () => ({ status: 200, body: '{"data":[],"has_more":false}' })

  test('that a bill leaves out do not lower the books', async () => {
    server.instead = none
    books.set('2026-11-20', 120_000_000)
    expect((await run('openai')).problem).toBe(
      'openai reported nothing for 2026-11-20, but $0.12 was recorded; nothing was changed. Try again tomorrow.',
    )
    books.clear()
    expect(await run('openai')).toMatchObject({ billedUsd: 0, drift: 0, adjusted: false, problem: null })
  })

  test('are whole days of UTC, each in the span that its noon lies in', async () => {
    const asked = async (from: string, to: string) => {
      const told = await run('openai', { from: at(from), to: at(to) })
      return [told.from.slice(0, 10), told.to.slice(0, 10)]
    }
    // A month in New York, and one in Vienna.
    expect(await asked('2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z')).toEqual(['2026-11-01', '2026-12-01'])
    expect(await asked('2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z')).toEqual(['2026-11-01', '2026-12-01'])
    expect(await asked('2026-11-01T12:00:00.001Z', '2026-11-03T12:00:00Z')).toEqual([
      '2026-11-02',
      '2026-11-03',
    ])
  })

  test('are compared only when they have been over for a day, since bills come late', async () => {
    const span = { from: at('2026-12-01T00:00:00Z'), to: now }
    expect(await run('openai', span)).toMatchObject({ to: '2026-12-09T00:00:00.000Z', problem: null })
    const early = await run('openai', { ...span, from: at('2026-12-09T00:00:00Z') })
    expect(early).toMatchObject({ billedUsd: null, adjusted: false })
    expect(early.problem).toMatch(/ended more than 24 hours ago/)
  })

  test('are not too many, and for OpenRouter of the last thirty', async () => {
    const long = { from: at('2025-01-01T00:00:00Z') }
    expect((await run('openai', long)).problem).toMatch(/more than 400 days/)
    expect((await run('openrouter')).problem).toBe(
      'openrouter has data for the last 30 days only. Choose a later start with --from.',
    )
    expect((await run('openrouter', { from: at('2026-11-10T00:00:00Z') })).problem).toBeNull()
    expect((await run('openrouter', { from: at('2026-11-09T00:00:00Z') })).problem).not.toBeNull()
  })
})

test.each(['google', 'mistral', 'ollama', 'openai-compatible'] as const)(
  '%s cannot be asked',
  async (kind) => {
    books.set('2026-11-20', 120_000_000)
    expect(await run(kind)).toMatchObject({
      localUsd: 0.12,
      billedUsd: null,
      problem: `${kind} has no usage API, so its bill cannot be fetched.`,
    })
    expect(server.asked).toEqual([])
  },
)

describe('the reconciler', () => {
  const span = { from: at('2026-11-01T00:00:00Z'), to: at('2026-12-01T00:00:00Z') }
  const create = (...names: string[]) =>
    createReconciler({
      providers: () =>
        Promise.resolve(
          names.map((name) => ({ name, kind: name as ProviderKind, baseUrl: `${server.url}/v1` })),
        ),
      booked: () => Promise.resolve(new Map(books)),
      adjust: (_operator, adjustments) => adjust(adjustments),
      fetch,
      clock: () => now,
    })

  test('asks one after the other, so that the same difference is not booked twice', async () => {
    server.days.set('2026-11-20', ['1.5'])
    const both = create('openai', 'ollama')
    const told = await Promise.all([
      both(by, { ...span, adminKey }),
      both(by, { ...span, provider: 'openai', adminKey }),
    ])
    expect(told.flat().map(({ provider, adjusted }) => [provider, adjusted])).toEqual([
      ['openai', true],
      ['ollama', false],
      ['openai', false],
    ])
    expect(booked).toHaveLength(1)
  })

  test('books only what another gateway has not booked while the bill was on its way', async () => {
    server.days.set('2026-11-20', ['1.5'])
    server.days.set('2026-11-21', ['2'])
    const slow: typeof globalThis.fetch = async (...asked) => {
      const response = await fetch(...asked)
      books.set('2026-11-20', 1_500_000_000)
      return response
    }
    expect(await run('openai', { fetch: slow })).toMatchObject({
      localUsd: 1.5,
      billedUsd: 3.5,
      adjusted: true,
    })
    expect(booked.flat()).toMatchObject([{ from: at('2026-11-21T00:00:00Z'), costNanos: 2_000_000_000 }])
  })

  test('changes nothing where another gateway has booked all of it while the bill was on its way', async () => {
    server.days.set('2026-11-20', ['1.5'])
    const [one, other] = [create('openai'), create('openai')]
    const gate = Promise.withResolvers<void>()
    let asked = 0
    const together: typeof globalThis.fetch = async (...request) => {
      const response = await fetch(...request)
      asked += 1
      if (asked === 1) await gate.promise
      return response
    }
    const late = run('openai', { fetch: together })
    await expect.poll(() => asked).toBe(1)
    expect(await one(by, { ...span, adminKey })).toMatchObject([{ adjusted: true }])
    gate.resolve()
    expect(await late).toMatchObject({ adjusted: false, drift: 0, localUsd: 1.5 })
    expect(await other(by, { ...span, adminKey })).toMatchObject([{ adjusted: false }])
    expect(booked).toHaveLength(1)
  })

  test('gives a key to one provider only, and goes on after a refusal', async () => {
    const both = create('openai', 'anthropic')
    await expect(both(by, { ...span, adminKey })).rejects.toMatchObject({ code: 'usage' })
    await expect(both(by, { ...span, provider: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
    expect(server.asked).toEqual([])
    expect(await both(by, span)).toMatchObject([{ provider: 'openai' }, { provider: 'anthropic' }])
    expect(await both(by, { ...span, provider: 'anthropic', adminKey })).toMatchObject([{ problem: null }])
  })
})
