import { randomUUIDv7 } from 'node:crypto'
import { idFrom, LedgerEntryDetail, type OperatorId, type RunId } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { leafHash } from '@countersign/contract/node'
import type { Actor, EntryDraft, Kernel } from '@countersign/kernel'
import { openIdleKernel } from '@countersign/kernel/testing'
import { createLedger, createViews } from '@countersign/views'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { routeApp } from '../testing/route-app.ts'
import { addLedgerRoutes, type DaysView } from './ledger.ts'

const you: Actor = { kind: 'operator', id: 'laptop' }
const key = 'sk-later-known-0123456789'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let kernel: Kernel
let operator: OperatorId
let client: Client
let now: Date
/** What became a secret after it was written. */
let later: string[]

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

beforeEach(async () => {
  operator = idFrom('op', randomUUIDv7())
  now = new Date('2026-11-10T09:00:00Z')
  later = []
  kernel = await openIdleKernel({ connection: database.connection, operator, clock: () => now })
  client = clientOf(operator)
})
afterEach(() => kernel.close())

function clientOf(speaking: OperatorId, mostLooked?: number): Client {
  const redact = (text: string) => later.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text)
  const options = { read: kernel.readOnly, clock: () => now, zone: 'Europe/Vienna', redact }
  const ledger = createLedger(mostLooked === undefined ? options : { ...options, mostLooked })
  return routeApp((app) => addLedgerRoutes(app, ledger, daysOf), speaking).client
}

const daysOf: DaysView = (speaking, days) =>
  createViews({ read: kernel.readOnly, clock: () => now, redact: (text) => text }).oversightDays(speaking, {
    days,
    zone: 'Europe/Vienna',
  })

const write = (entry: Partial<EntryDraft> & { type: string }) =>
  kernel.act(operator, { actor: you, data: {}, ...entry })
const secrets = async (count: number) => {
  for (let at = 1; at <= count; at += 1) await write({ type: 'secret.stored', data: { name: `key-${at}` } })
}
const names = async (ask: Parameters<Client['ledger']>[0]) =>
  (await client.ledger(ask)).entries.map(({ data }) => data['name'])

describe('a page of the ledger', () => {
  test('has the newest entries first, each with its sentence, its hash and who did it', async () => {
    await write({ type: 'secret.stored', data: { name: 'github' } })
    const { entries, size, next } = await client.ledger()
    expect(size).toBe(entries.length)
    expect(next).toBeNull()
    expect(entries[0]).toMatchObject({
      seq: size,
      type: 'secret.stored',
      at: '2026-11-10T09:00:00.000Z',
      sentence: 'You stored the secret github on laptop.',
      actor: { kind: 'operator', id: 'laptop', name: 'laptop' },
      data: { name: 'github' },
      signed: false,
    })
    expect(entries[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(entries.at(-1)?.seq).toBe(1)
  })

  test('goes on where the last one ended, and misses nothing', async () => {
    await secrets(7)
    const seen: unknown[] = []
    for (let before: number | undefined; ; ) {
      const page = await client.ledger({
        q: 'type:secret',
        limit: 3,
        ...(before === undefined ? {} : { before }),
      })
      seen.push(...page.entries.map(({ data }) => data['name']))
      if (page.next === null) break
      before = page.next
    }
    expect(seen).toEqual(['key-7', 'key-6', 'key-5', 'key-4', 'key-3', 'key-2', 'key-1'])
  })

  test('looks at so many entries and no more, and says where to go on', async () => {
    await write({ type: 'system.paused' })
    await secrets(8)
    const small = clientOf(operator, 5)
    const first = await small.ledger({ q: 'type:system.paused' })
    expect(first).toMatchObject({ entries: [], looked: 5 })
    const second = await small.ledger({ q: 'type:system.paused', before: first.next ?? 0 })
    expect(second.entries.map(({ sentence }) => sentence)).toEqual(['You paused everything on laptop.'])
  })

  test('after a number has only what came since', async () => {
    await secrets(2)
    const { size } = await client.ledger()
    await write({ type: 'secret.stored', data: { name: 'newer' } })
    expect(await names({ after: size })).toEqual(['newer'])
    expect(await names({ after: size + 1 })).toEqual([])
  })

  test('shows one operator nothing of another', async () => {
    await secrets(1)
    const other = clientOf(idFrom('op', randomUUIDv7()))
    await expect(other.ledger()).rejects.toThrow()
  })
})

describe('a query', () => {
  const run = idFrom('run', '019a0000-0000-7000-8000-00000000abcd') as RunId
  const effect = (data: EntryDraft['data']) =>
    write({ type: 'effect.outcome', actor: { kind: 'agent', id: run }, run, data })

  test('finds by field, by tier and by words, and nothing beside', async () => {
    await effect({ tool: 'write_file', tier: 1, result: 'ok', summary: 'Wrote notes/a.md' })
    await effect({ tool: 'http_request', tier: 3, result: 'failed', summary: 'no answer' })
    const sentences = async (q: string) => (await client.ledger({ q })).entries.map((each) => each.sentence)
    const wrote = 'The agent used write_file: Wrote notes/a.md.'
    const failed = 'The agent used http_request, which failed: no answer.'
    expect(await sentences('type:effect')).toEqual([failed, wrote])
    expect(await sentences('tier>=3')).toEqual([failed])
    expect(await sentences('effect:write')).toEqual([wrote])
    expect(await sentences('outcome:failed tool:http_request')).toEqual([failed])
    expect(await sentences('outcome:failed tool:write_file')).toEqual([])
    expect(await sentences(`run:${run}`)).toEqual([failed, wrote])
    expect(await sentences('run:abcd "notes/a"')).toEqual([wrote])
    expect(await sentences('run:abce')).toEqual([])
    expect(await sentences('type:effect%')).toEqual([])
  })

  test('keeps to its times', async () => {
    await write({ type: 'secret.stored', data: { name: 'early' } })
    now = new Date('2026-11-12T09:00:00Z')
    await write({ type: 'secret.stored', data: { name: 'late' } })
    now = new Date('2026-11-12T10:00:00Z')
    expect(await names({ q: 'type:secret since:2h' })).toEqual(['late'])
    expect(await names({ q: 'type:secret until:2026-11-10' })).toEqual(['early'])
    expect(await names({ q: 'type:secret since:2026-11-11 until:2026-11-11' })).toEqual([])
  })

  test('counts beside the page, over everything that was looked at', async () => {
    await secrets(3)
    const { entries, facets } = await client.ledger({ q: 'type:secret', limit: 1, facets: true })
    expect(entries).toHaveLength(1)
    expect(facets).toContainEqual({ field: 'type', values: [{ value: 'secret.stored', count: 3 }] })
    expect(facets).toContainEqual({ field: 'actor', values: [{ value: 'operator/laptop', count: 3 }] })
    expect(facets).toContainEqual({ field: 'tool', values: [] })
    expect((await client.ledger()).facets).toBeUndefined()
  })

  test('that cannot be read is refused with its place and a next step', async () => {
    await expect(client.ledger({ q: 'tool:a colour:red' })).rejects.toMatchObject({
      code: 'usage',
      message: 'There is no field “colour”.',
      details: { at: 7, length: 10 },
    })
  })
})

describe('one entry', () => {
  test('has the exact text of its hash, and the checkpoint that covers it', async () => {
    const seq = await write({ type: 'secret.stored', data: { name: 'github' } })
    expect(await client.ledgerEntry(seq)).toMatchObject({ checkpoint: null, entry: { signed: false } })
    await kernel.verifyLedger(operator)
    const { entry, body, exact, checkpoint } = await client.ledgerEntry(seq)
    expect(exact).toBe(true)
    expect(entry.signed).toBe(true)
    expect(Buffer.from(leafHash(Buffer.from(body))).toString('hex')).toBe(entry.hash)
    expect(checkpoint?.size).toBe(seq)
    expect(checkpoint?.note).toContain(`\n${seq}\n`)
  })

  test('masks a secret that became known later, and says that its text is no longer exact', async () => {
    const seq = await write({ type: 'input.admitted', data: { text: `use ${key}` } })
    later = [key]
    const detail = await client.ledgerEntry(seq)
    expect(detail.exact).toBe(false)
    expect(detail.entry.sentence).toBe('You wrote “use •••” on laptop.')
    expect(JSON.stringify([detail, await client.ledger()])).not.toContain(key)
  })

  test('has the same hash and text in every language, and a sentence in that of the reader', async () => {
    const seq = await write({ type: 'secret.stored', data: { name: 'github' } })
    const ledger = createLedger({
      read: kernel.readOnly,
      clock: () => now,
      zone: 'UTC',
      redact: (text) => text,
    })
    const { app } = routeApp((routes) => addLedgerRoutes(routes, ledger, daysOf), operator)
    const answer = await app.request(`/v1/ledger/${seq}`, { headers: { 'accept-language': 'de-AT' } })
    const german = LedgerEntryDetail.parse(await answer.json())
    const english = await client.ledgerEntry(seq)
    expect(german.entry.sentence).toBe('Du hast auf laptop das Geheimnis github gespeichert.')
    expect({ ...german, entry: { ...german.entry, sentence: '' } }).toEqual({
      ...english,
      entry: { ...english.entry, sentence: '' },
    })
  })

  test('that is not there is not found', async () => {
    const { size } = await client.ledger()
    await expect(client.ledgerEntry(size + 1)).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('why an entry is there that no run wrote: itself, and who did it', async () => {
  const seq = await write({ type: 'secret.stored', data: { name: 'github' } })
  const views = createViews({ read: kernel.readOnly, clock: () => now, redact: (text) => text })
  expect((await views.why(operator, `#${seq}`, 'en')).chain).toMatchObject([
    { what: 'effect', sentence: 'You stored the secret github on laptop.', ledger: seq },
    { what: 'person', id: 'laptop', sentence: 'You, the operator.' },
  ])
  await expect(views.why(operator, `#${seq + 1}`, 'en')).rejects.toMatchObject({ code: 'not_found' })
})

describe('the last days', () => {
  test('are all there, in the days of the operator, also when nothing happened', async () => {
    const days = await client.oversightDays(3)
    expect(days.map(({ day }) => day)).toEqual(['2026-11-08', '2026-11-09', '2026-11-10'])
    expect(days[0]).toMatchObject({ acts: [0, 0, 0, 0, 0], asked: [0, 0, 0, 0, 0], medianMs: null })
  })

  test('are refused beyond a year', async () => {
    await expect(client.oversightDays(5_000)).rejects.toMatchObject({ code: 'usage' })
  })
})
