import { randomUUIDv7 } from 'node:crypto'
import { createMemories, workLogMentions } from '@countersign/assistant'
import { keepMemory, type Label, memoriesCollection, memoryIn } from '@countersign/contract'
import { type Kernel, type RecordTransaction } from '@countersign/kernel'
import { type Owner, openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { type RouteApp, routeApp } from '../testing/route-app.ts'
import { addMemoryRoutes } from './memory.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const nobody = `mem_${'0'.repeat(32)}`

const now = new Date('2026-03-01T12:00:00.000Z')

let database: Awaited<ReturnType<typeof startTestDatabase>>
let kernel: Kernel
let owner: Owner
let app: RouteApp['app']
let client: RouteApp['client']

beforeAll(async () => {
  database = await startTestDatabase()
  kernel = await openIdleKernel({ connection: database.connection, clock: () => now })
  owner = openOwner(database.connection)
  ;({ app, client } = routeApp(
    (routes) =>
      addMemoryRoutes(routes, {
        memories: createMemories({
          records: kernel.records,
          uuid: randomUUIDv7,
          mentions: [workLogMentions],
          recall: async ({ records }, { text, type, tags, limit }) => {
            const { records: found } = await records.list(memoriesCollection, {
              where: { status: 'active', ...(type === undefined ? {} : { type }) },
              ...(tags?.[0] === undefined ? {} : { holds: { field: 'tags', value: tags[0] } }),
              search: { text, fields: ['content'] },
              limit,
            })
            return found.map((record) => ({
              ...memoryIn(record),
              id: record.id,
              score: 0.9,
              createdAt: record.createdAt,
              label: record.label,
            }))
          },
        }),
      }),
    kernel.operator,
  ))
})
afterAll(async () => {
  await owner.close()
  await kernel.close()
  await database.stop()
})
const change = async <T>(work: (unit: RecordTransaction) => Promise<T>) =>
  (await kernel.records.change(kernel.operator, work)).value

beforeEach(() =>
  change(async ({ records }) => {
    for (const collection of [memoriesCollection, 'memory_never']) await records.clear(collection)
  }),
)

const add = async (content: string, more: object = {}) =>
  (await client.addMemory({ content, type: 'fact', ...more })).memory.id
const suggest = (content: string) =>
  change(async ({ records }) => {
    const draft = { content, type: 'fact', source: { kind: 'agent' } } as const
    const kept = await keepMemory(records, draft, {
      uuid: randomUUIDv7,
      label: untrusted,
      status: 'suggested',
    })
    return kept.kind === 'kept' ? kept.record.id : ''
  })

describe('the routes of memory', () => {
  test('add, list, show, edit and correct, each act with its place in the ledger', async () => {
    const added = await client.addMemory({
      content: 'Likes tea',
      type: 'preference',
      tags: ['kitchen'],
      pinned: true,
    })
    expect(added).toMatchObject({ raised: false, memory: { pinned: true, source: { kind: 'said' } } })
    expect(added.ledger).toBeGreaterThan(0)
    const { id } = added.memory
    expect(await client.memories({ tag: 'kitchen', type: 'preference', q: 'tea' })).toMatchObject({
      total: 1,
      limit: 50,
      items: [{ id }],
    })
    expect((await client.memories({ status: 'rejected' })).total).toBe(0)
    expect((await client.editMemory(id, { importance: 0.9 })).memory.importance).toBe(0.9)
    const corrected = await client.correctMemory(id, 'Likes coffee')
    expect(corrected.memory).toMatchObject({ supersedes: id, pinned: true, importance: 0.9 })
    expect((await client.memory(corrected.memory.id)).earlier).toMatchObject([{ content: 'Likes tea' }])
  })

  test('show what waits, and accept or reject it once', async () => {
    const [first, second] = [await suggest('Owes money'), await suggest('Owns a boat')]
    expect((await client.memorySuggestions()).items.map(({ id }) => id).toSorted()).toEqual(
      [first, second].toSorted(),
    )
    expect(await client.acceptMemory(first)).toMatchObject({ memory: { status: 'active', label: null } })
    expect(await client.rejectMemory(second)).toMatchObject({ memory: { status: 'rejected' } })
    expect((await client.memorySuggestions()).total).toBe(0)
    await expect(client.acceptMemory(second)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('say what would go, and let it go', async () => {
    const id = await add('The code is 4711')
    await owner.within(kernel.operator, ({ db, operator }) => {
      const reply = JSON.stringify({
        kind: 'done',
        result: { text: JSON.stringify({ content: 'The code is 4711' }) },
      })
      return db
        .insertInto('record_permit_uses')
        .values({ operator_id: operator, nonce: 'n', digest: 'd', reply, at: now })
        .execute()
    })
    expect(await client.forgetMemories([id], true)).toEqual({
      memories: 1,
      earlier: 0,
      traces: 1,
      dryRun: true,
      ledger: 0,
    })
    expect((await client.memory(id)).memory.content).toBe('The code is 4711')
    const gone = await client.forgetMemories([id])
    expect(gone).toMatchObject({ memories: 1, traces: 1, dryRun: false })
    expect(gone.ledger).toBeGreaterThan(0)
    await expect(client.memory(id)).rejects.toMatchObject({ code: 'not_found' })
    const left = await kernel.readOnly(kernel.operator, async (db) => [
      await db.selectFrom('record_permit_uses').selectAll().execute(),
      await db.selectFrom('records').selectAll().execute(),
      await db.selectFrom('ledger_entries').select('body').execute(),
    ])
    expect(JSON.stringify(left)).not.toContain('4711')
  })

  test('search what is in use, count, and write everything out', async () => {
    const id = await add('Likes tea', { tags: ['kitchen'] })
    await suggest('Hates tea')
    expect(await client.searchMemories({ q: 'tea', tag: 'kitchen' })).toMatchObject([
      { memory: { id }, score: 0.9 },
    ])
    expect(await client.searchMemories({ q: 'tea', type: 'event' })).toEqual([])
    expect(await client.memoryStats()).toMatchObject({ total: 2, status: { active: 1, suggested: 1 } })
    const response = await app.request('/v1/memory-export')
    expect(response.headers.get('content-type')).toContain('jsonl')
    expect((await response.text()).trim().split('\n')).toHaveLength(2)
  })

  test('keep the list of what is never to be remembered', async () => {
    const id = await add('The salary is fine')
    const { never, matching } = await client.neverRemember('salary')
    expect(matching).toEqual([id])
    expect(await client.neverRemembered()).toEqual([never])
    await expect(add('A new salary')).rejects.toMatchObject({ code: 'usage' })
    expect(await client.rememberAgain(never.id)).toMatchObject({ ok: true })
    await add('A new salary')
  })

  test('refuse what is no memory, no status, no page and nothing at all', async () => {
    for (const wrong of [
      () => client.memories({ status: 'secret' }),
      () => client.memories({ limit: '0' }),
      () => client.memories({ limit: '201' }),
      () => client.memory('task_1'),
      () => client.addMemory({ content: ' ', type: 'fact' }),
      () => client.addMemory({ content: 'A', type: 'fact', status: 'active' } as never),
      () => client.editMemory(nobody, {}),
      () => client.forgetMemories([]),
      () => client.forgetMemories(['*']),
      () => client.searchMemories({ q: '' }),
      () => client.neverRemember(' ! '),
    ])
      await expect(wrong()).rejects.toMatchObject({ code: 'usage' })
    for (const missing of [
      () => client.memory(nobody),
      () => client.editMemory(nobody, { pinned: true }),
      () => client.correctMemory(nobody, 'A'),
      () => client.acceptMemory(nobody),
      () => client.forgetMemories([nobody]),
      () => client.forgetMemories([nobody], true),
      () => client.rememberAgain('never_1'),
    ])
      await expect(missing()).rejects.toMatchObject({ code: 'not_found' })
  })
})
