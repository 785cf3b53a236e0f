import { createHash, randomUUIDv7 } from 'node:crypto'
import { CountersignError, errorCatalogue, idFrom } from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import { type Kernel } from '@countersign/kernel'
import { openIdleKernel } from '@countersign/kernel/testing'
import { createViews } from '@countersign/views'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { createReconciler } from '../model-settings/reconcile.ts'
import { adminKey, type InvoiceServer, startInvoiceServer } from '../model-settings/testing/invoice-server.ts'
import { addCostRoutes, spanIn } from './costs.ts'
import { errorReply } from './failures.ts'
import type { Env } from './route.ts'

const zone = 'Europe/Vienna'
const cent = 10_000_000
const device = idFrom('dev', randomUUIDv7())

let database: Awaited<ReturnType<typeof startTestDatabase>>
let bill: InvoiceServer
let kernel: Kernel
let client: ReturnType<typeof createClient>
let now = new Date('2026-11-10T09:00:00Z')
/** Everything that left through the API. */
let told: string[] = []

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

beforeEach(async () => {
  told = []
  now = new Date('2026-11-10T09:00:00Z')
  const operator = idFrom('op', randomUUIDv7())
  kernel = await openIdleKernel({ connection: database.connection, operator, zone, clock: () => now })
  bill = await startInvoiceServer()
  const views = createViews({ read: kernel.readOnly, clock: () => now, redact: (text) => text })
  const app = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new CountersignError('usage', z.prettifyError(result.error))
    },
  })
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json(errorReply(error), errorCatalogue[error.code].http)
  })
  app.use('*', async (context, next) => {
    context.set('speaker', { operator, device, actor: { kind: 'operator', id: 'laptop' }, reach: 3 })
    await next()
  })
  addCostRoutes(app, {
    views,
    budgets: kernel.budgets,
    reconcile: createReconciler({
      providers: () =>
        Promise.resolve([
          { name: 'openai', kind: 'openai', baseUrl: `${bill.url}/v1` },
          { name: 'box', kind: 'ollama', baseUrl: 'http://127.0.0.1:1/api' },
        ]),
      booked: views.bookedDays,
      adjust: kernel.budgets.adjust,
      fetch,
      clock: () => now,
    }),
    clock: () => now,
    zone,
  })
  client = createClient({
    url: 'http://127.0.0.1:1',
    signer: {
      device,
      gateway: kernel.gateway,
      sign: () => Promise.resolve(''),
      proves: () => Promise.resolve(true),
      hash: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      nonce: () => 'nonce',
      now: () => now,
    },
    fetch: async (url, { method, headers, body }) => {
      const response = await app.request(url.pathname + url.search, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      told.push(await response.clone().text())
      return response
    },
  })
})
afterEach(async () => {
  expect(told.join('\n')).not.toContain(adminKey)
  await bill.close()
  await kernel.close()
})

async function spend(moment: string, nanos: number): Promise<void> {
  const before = now
  now = new Date(moment)
  const meter = kernel.meterFor(kernel.operator)
  const planned = { provider: 'openai', model: 'gpt', purpose: 'chat' as const, worstNanos: nanos }
  const reserved = await meter.reserve(planned)
  if (reserved.kind === 'refused') throw new Error(reserved.shortage.message)
  const usage = { input: 10, output: 5, cached: 4, reasoning: 1 }
  const figures = { usage, estimated: false, costNanos: nanos, firstTokenMs: null, totalMs: 5 }
  await meter.settle(reserved.id, { outcome: 'delivered', ...figures })
  now = before
}

describe('the routes of money', () => {
  test('report the present month of the operator’s zone, where nothing else is asked', async () => {
    await spend('2026-10-31T22:59:59Z', cent)
    await spend('2026-10-31T23:00:00Z', 2 * cent)
    await spend('2026-11-09T10:00:00Z', 4 * cent)
    const month = await client.costs()
    expect(month).toMatchObject({ from: '2026-10-31T23:00:00.000Z', group: 'model', total: { usd: 0.06 } })
    expect(month.beforeUsd).toBe(0.01)
    expect((await client.costs({ from: '2026-10-31', to: '2026-11-01', by: 'day' })).lines).toMatchObject([
      { key: '2026-11-01', usd: 0.02 },
      { key: '2026-10-31', usd: 0.01 },
    ])
    expect(await client.idleSpend()).toMatchObject({ usd: 0, calls: 0 })
    expect(await client.costlyRuns({ limit: '5' })).toEqual([])
    expect(await client.modelCalls({ limit: '2' })).toMatchObject([{ usd: 0.04 }, { usd: 0.02 }])
  })

  test('have every day of a period where the operator lives, also those without a call', async () => {
    await spend('2026-10-31T22:59:59Z', cent)
    await spend('2026-10-31T23:00:00Z', 2 * cent)
    await spend('2026-11-01T08:00:00Z', 3 * cent)
    const { days, group } = await client.costDays({ from: '2026-10-31', to: '2026-11-02', by: 'purpose' })
    expect(group).toBe('purpose')
    expect(days).toEqual([
      { day: '2026-10-31', parts: [{ key: 'chat', calls: 1, usd: 0.01 }] },
      { day: '2026-11-01', parts: [{ key: 'chat', calls: 2, usd: 0.05 }] },
      { day: '2026-11-02', parts: [] },
    ])
    await expect(client.costDays({ by: 'hour' as 'model' })).rejects.toMatchObject({ code: 'usage' })
    expect(await client.costlyRuns({ by: 'model', key: 'openai/gpt' })).toEqual([])
  })

  test('refuse what is no time, no group or no number', async () => {
    for (const wrong of [
      () => client.costs({ from: 'yesterday' }),
      () => client.costs({ from: '2026-02-31' }),
      () => client.costs({ from: '2026-11-02', to: '2026-11-01' }),
      () => client.costs({ by: 'mood' as 'day' }),
      () => client.costlyRuns({ limit: '0' }),
      () => client.modelCalls({ run: 'nobody' }),
      () => client.reconcile({ provider: 'NOBODY' }),
      () => client.removeBudget('a budget'),
    ])
      await expect(wrong()).rejects.toMatchObject({ code: 'usage' })
    await expect(client.reconcile({ provider: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.removeBudget('global:month')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('set, list and remove limits, and lift the guard', async () => {
    expect(await client.budgets()).toMatchObject([{ name: 'unattended:month', limitUsd: 0, builtIn: true }])
    const set = await client.setBudget({ scope: 'global', limitUsd: 5 })
    expect(set.budget).toMatchObject({ name: 'global:month', limitUsd: 5, hard: true, spentUsd: 0 })
    expect(await client.removeBudget('global:month')).toMatchObject({ name: 'global:month' })
    expect(await client.liftGuard()).toMatchObject({ ok: true })
  })

  test('bring the books to the bill, once', async () => {
    await client.setBudget({ scope: 'global', limitUsd: 5 })
    await spend('2026-11-03T10:00:00Z', 10 * cent)
    await spend('2026-11-05T10:00:00Z', 20 * cent)
    bill.perPage = 2
    bill.days.set('2026-11-03', ['0.11', '0.005'])
    bill.days.set('2026-11-05', ['0.2'])
    bill.days.set('2026-11-06', ['0.03'])
    const asked = { provider: 'openai', adminKey }
    expect(await client.reconcile(asked)).toEqual([
      {
        provider: 'openai',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-11-09T00:00:00.000Z',
        localUsd: 0.3,
        billedUsd: 0.345,
        drift: expect.closeTo(0.045 / 0.345, 9) as number,
        adjusted: true,
        problem: null,
      },
    ])
    expect(await client.costs({ by: 'provider' })).toMatchObject({
      total: { usd: 0.345 },
      adjustedUsd: 0.045,
      lines: [{ key: 'openai', usd: 0.345 }],
    })
    expect((await client.budgets()).find(({ name }) => name === 'global:month')).toMatchObject({
      spentUsd: 0.345,
    })
    for (const again of [asked, { ...asked, from: '2026-11-03', to: '2026-11-03' }, { adminKey }])
      expect((await client.reconcile(again))[0]).toMatchObject({ drift: 0, adjusted: false, problem: null })
    // The provider thinks again.
    bill.days.set('2026-11-06', [])
    expect((await client.reconcile(asked))[0]).toMatchObject({
      localUsd: 0.345,
      billedUsd: 0.315,
      adjusted: true,
    })
    expect((await client.costs()).total.usd).toBe(0.315)
    const entries = await kernel.readOnly(kernel.operator, (db) =>
      db.selectFrom('ledger_entries').select('body').where('type', '=', 'cost.adjusted').execute(),
    )
    expect(entries).toHaveLength(3)
    expect(JSON.stringify(entries)).not.toContain(adminKey)
  })

  test('leave the books as they are when the bill cannot be had', async () => {
    await spend('2026-11-03T10:00:00Z', 10 * cent)
    expect(await client.reconcile({})).toMatchObject([
      { provider: 'openai', localUsd: 0.1, billedUsd: null, adjusted: false },
      { provider: 'box', problem: 'box has no usage API, so its bill cannot be fetched.' },
    ])
    expect(
      (await client.reconcile({ provider: 'openai', adminKey: 'sk-wrong-0123456789' }))[0]?.problem,
    ).toMatch(/refused the key/)
    expect((await client.costs()).total.usd).toBe(0.1)
  })
})

describe('a date', () => {
  const now = new Date('2026-11-10T09:00:00Z')
  const span = (from: string, to: string, zone: string) => {
    const found = spanIn({ from, to }, now, zone)
    return [found.from.toISOString(), found.to.toISOString()]
  }

  test('is the whole day where the operator lives', () => {
    expect(span('2026-10-25', '2026-10-25', 'Europe/Vienna')).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ])
    expect(span('2026-11-01', '2026-11-01', 'Pacific/Kiritimati')).toEqual([
      '2026-10-31T10:00:00.000Z',
      '2026-11-01T10:00:00.000Z',
    ])
    expect(span('2026-11-01', '2026-11-02T00:00:00+01:00', 'America/Los_Angeles')).toEqual([
      '2026-11-01T07:00:00.000Z',
      '2026-11-01T23:00:00.000Z',
    ])
  })

  test('as an end begins the month that it lies in', () => {
    expect(spanIn({ to: '2026-09-30' }, now, 'UTC').from.toISOString()).toBe('2026-09-01T00:00:00.000Z')
  })
})
