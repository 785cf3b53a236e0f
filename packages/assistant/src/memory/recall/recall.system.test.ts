import type { EmbeddingPort } from '@countersign/agent'
import type { JsonObject, Label } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRecallDatabase, type RecallDatabase } from '../../../../../tests/recall/recall-database.ts'
import type { AssistantContext } from '../../assistant-context.ts'
import { createIndexer } from './indexer.ts'
import { createRecall, type RecallOptions } from './recall.ts'
import { createScanIndex } from './scan-index.ts'
import { between, freeMeter, lookupEmbeddings, unitVector } from './testing/made-vectors.ts'
import type { VectorIndex } from './vector-index.ts'

const onProblem = (problem: unknown) => {
  throw problem
}
const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['a page'] }
let database: RecallDatabase
let index: VectorIndex

beforeAll(async () => {
  database = await openRecallDatabase()
  index = createScanIndex({ onProblem })
})
afterAll(async () => {
  await index.close()
  await database.close()
})

const remember = (
  context: AssistantContext,
  id: string,
  content: string,
  data: JsonObject = {},
  label: Label | null = null,
) =>
  context.records.change(context.operator, ({ records }) =>
    records.insert('memories', id, { content, type: 'fact', status: 'active', tags: [], ...data }, label),
  )
const change = (context: AssistantContext, id: string, data: JsonObject) =>
  context.records.change(context.operator, async ({ records }) => {
    const found = await records.get('memories', id)
    if (!found) throw new Error(`${id} is missing.`)
    return records.replace('memories', id, found.version, { ...found.data, ...data }, found.label)
  })
const forget = (context: AssistantContext, id: string) =>
  context.records.change(context.operator, async ({ records }) => {
    const found = await records.get('memories', id)
    await records.remove('memories', id, found?.version ?? 0)
  })
const indexAll = async (context: AssistantContext, embeddings: EmbeddingPort) => {
  const indexer = createIndexer({
    context,
    index,
    embeddings,
    meter: freeMeter,
    wait: () => Promise.resolve(),
  })
  for (;;) {
    const { kind } = await indexer.step()
    if (kind !== 'embedded') return kind
  }
}
const recallOf = (context: AssistantContext, rest: Partial<RecallOptions> = {}) =>
  createRecall({ context, index, meter: freeMeter, ...rest })
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const countOf = (context: AssistantContext, table: string) =>
  context.records.read(context.operator, async ({ db }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.table(table)} where operator_id = ${context.operator}`.execute(db)
    return rows[0]?.count
  })

describe('recall by words alone', () => {
  it('finds a paraphrase by one shared word, and a rare word counts for more', async () => {
    const context = database.newContext()
    await remember(context, 'boiler', 'The boiler was repaired in March.')
    await remember(context, 'march', 'In March we meet in Oslo.')
    await remember(context, 'june', 'In June we meet in Rome; in March, in May and in July at home.')
    const recall = recallOf(context)
    expect(idsOf(await recall.recall({ text: 'who had repairs done to the boilers?', limit: 5 }))).toEqual([
      'boiler',
    ])
    expect(idsOf(await recall.recall({ text: 'boiler March', limit: 5 }))[0]).toBe('boiler')
    expect(await recall.recall({ text: 'nothing of that kind', limit: 5 })).toEqual([])
    expect(await recall.recall({ text: 'boiler', limit: 0 })).toEqual([])
  })

  it('finds by tags, and tells all that is known of a memory', async () => {
    const context = database.newContext()
    await remember(
      context,
      'a',
      'Anna takes the window seat.',
      { tags: ['travel'], importance: 0.7 },
      untrusted,
    )
    const [found] = await recallOf(context).recall({ text: 'travels', limit: 5 })
    expect(found).toMatchObject({
      id: 'a',
      content: 'Anna takes the window seat.',
      type: 'fact',
      tags: ['travel'],
      label: untrusted,
    })
    expect(found?.importance).toBeCloseTo(0.7)
    expect(new Date(found?.createdAt ?? '').getTime()).toBeGreaterThan(0)
  })

  it('returns only what is active, at every moment', async () => {
    const context = database.newContext()
    const recall = recallOf(context)
    const found = async () => idsOf(await recall.recall({ text: 'lighthouse', limit: 5 }))
    await remember(context, 'a', 'The lighthouse is white.', { status: 'suggested' })
    expect(await found()).toEqual([])
    for (const status of ['active', 'superseded', 'active', 'rejected', 'active']) {
      await change(context, 'a', { status })
      expect(await found()).toEqual(status === 'active' ? ['a'] : [])
    }
    await change(context, 'a', { content: 'The tower is white.' })
    expect(await found()).toEqual([])
    expect(idsOf(await recall.recall({ text: 'tower', limit: 5 }))).toEqual(['a'])
    await forget(context, 'a')
    expect(await recall.recall({ text: 'tower', limit: 5 })).toEqual([])
  })

  it('leaves no word of what is forgotten, even in the transaction that forgets', async () => {
    const context = database.newContext()
    await remember(context, 'a', 'The combination is hidden in the clock.', { tags: ['safe'] })
    await indexAll(context, lookupEmbeddings(new Map()))
    await context.records.change(context.operator, async ({ records, db }) => {
      await records.clear('memories')
      for (const table of ['memory_index', 'memory_words']) {
        const { rows } =
          await sql`select 1 from ${sql.table(table)} where operator_id = ${context.operator}`.execute(db)
        expect(rows).toEqual([])
      }
    })
    expect(await countOf(context, 'memory_index')).toBe(0)
    expect(await countOf(context, 'memory_removals')).toBe(1)
  })

  it('keeps one operator from the memories of another', async () => {
    const [anna, ben] = [database.newContext(), database.newContext()]
    await remember(anna, 'a', 'The lighthouse is white.')
    expect(await recallOf(ben).recall({ text: 'lighthouse', limit: 5 })).toEqual([])
    const { rows } = await ben.records.read(ben.operator, ({ db }) =>
      sql`select 1 from memory_index union all select 1 from memory_words`.execute(db),
    )
    expect(rows).toEqual([])
  })

  it('narrows by type, goal and tags', async () => {
    const context = database.newContext()
    await remember(context, 'fact', 'A lighthouse stands there.', { tags: ['sea', 'north'] })
    await remember(context, 'event', 'We saw the lighthouse.', {
      type: 'event',
      goal: 'goal_a',
      tags: ['sea'],
    })
    await remember(context, 'other', 'One lighthouse more.', { goal: 'goal_b' })
    const recall = recallOf(context)
    const narrowed = async (rest: object) =>
      idsOf(await recall.recall({ text: 'lighthouse', limit: 5, ...rest })).toSorted()
    expect(await narrowed({})).toEqual(['event', 'fact', 'other'])
    expect(await narrowed({ type: 'event' })).toEqual(['event'])
    expect(await narrowed({ goal: 'goal_a' })).toEqual(['event', 'fact'])
    expect(await narrowed({ goal: null })).toEqual(['fact'])
    expect(await narrowed({ tags: ['sea'] })).toEqual(['event', 'fact'])
    expect(await narrowed({ tags: ['sea', 'north'], type: 'event' })).toEqual([])
  })

  it('tells what weighs most when there are no words', async () => {
    const context = database.newContext()
    await remember(context, 'low', 'One thing.', { importance: 0.1 })
    await remember(context, 'high', 'Another matter.', { importance: 0.9 })
    await remember(context, 'waiting', 'A third.', { importance: 1, status: 'suggested' })
    expect(idsOf(await recallOf(context).recall({ text: ' ', limit: 5 }))).toEqual(['high', 'low'])
  })

  it('bears every odd shape of a record', async () => {
    const context = database.newContext()
    const odd: JsonObject[] = [
      { type: 7, importance: 'high', tags: 'sea', goal: 3, pinned: 'yes', lastUsedAt: 'never' },
      { importance: 1e300, tags: [1, null, { a: 1 }], supersedes: ['x'], pinned: true },
      { importance: null, tags: null, status: null, lastUsedAt: '2026-99-99T00:00:00Z' },
    ]
    for (const [place, data] of odd.entries())
      await remember(context, `m${place}`, `lighthouse ${place}`, data)
    await context.records.change(context.operator, ({ records }) =>
      records.insert('memories', 'none', {}, null),
    )
    await remember(context, 'long', `lighthouse ${'word '.repeat(50_000)}${'x'.repeat(10_000)}`)
    const found = await recallOf(context).recall({ text: 'lighthouse', limit: 9 })
    expect(idsOf(found).toSorted()).toEqual(['long', 'm0', 'm1', 'm2'])
  })
})

describe('recall by meaning and words', () => {
  const asked = unitVector(8, 1)
  const known = new Map([
    ['Where may I sit?', asked],
    ['Anna takes the window.', between(asked, unitVector(8, 2), 0.2)],
    ['The boiler is old.', unitVector(8, 3)],
  ])

  it('finds what shares no word, and goes on finding words', async () => {
    const context = database.newContext()
    const embeddings = lookupEmbeddings(known)
    await remember(context, 'window', 'Anna takes the window.')
    await remember(context, 'boiler', 'The boiler is old.')
    expect(await indexAll(context, embeddings)).toBe('idle')
    const recall = recallOf(context, { embeddings })
    expect(idsOf(await recall.recall({ text: 'Where may I sit?', limit: 1 }))).toEqual(['window'])
    expect(idsOf(await recall.recall({ text: 'boiler', limit: 5 }))).toContain('boiler')
    expect(idsOf(await recallOf(context).recall({ text: 'Where may I sit?', limit: 5 }))).toEqual([])
    await forget(context, 'window')
    expect(idsOf(await recall.recall({ text: 'Where may I sit?', limit: 5 }))).toEqual(['boiler'])
  })

  it('works within a transaction, and sees what that has just written', async () => {
    const context = database.newContext()
    const embeddings = lookupEmbeddings(known)
    await remember(context, 'window', 'Anna takes the window.')
    await indexAll(context, embeddings)
    const recall = recallOf(context, { embeddings })
    await context.records.change(context.operator, async (tx) => {
      await tx.records.insert('memories', 'new', { content: 'May I sit on the left?' }, null)
      const found = idsOf(await recall.recall({ text: 'Where may I sit?', limit: 5 }, { tx }))
      expect(found.toSorted()).toEqual(['new', 'window'])
      await tx.records.clear('memories')
      expect(await recall.recall({ text: 'Where may I sit?', limit: 5 }, { tx })).toEqual([])
    })
  })

  it('does not lack connections when everybody recalls within a transaction', async () => {
    const context = database.newContext()
    const embeddings = lookupEmbeddings(known)
    await remember(context, 'window', 'Anna takes the window.')
    await indexAll(context, embeddings)
    const recall = recallOf(context, { embeddings })
    const all = Array.from({ length: 30 }, () =>
      context.records.change(context.operator, (tx) =>
        recall.recall({ text: 'Where may I sit?', limit: 5 }, { tx }),
      ),
    )
    for (const { value } of await Promise.all(all)) expect(idsOf(value)).toEqual(['window'])
  })

  it('answers by words when the model is away, fails or takes too long', async () => {
    const context = database.newContext()
    await remember(context, 'boiler', 'The boiler is old.')
    await indexAll(context, lookupEmbeddings(known))
    const away: EmbeddingPort = {
      embed: () => Promise.resolve({ kind: 'unavailable', reason: 'not installed' }),
    }
    const deaf: EmbeddingPort = { embed: () => new Promise(() => undefined) }
    for (const embeddings of [away, deaf]) {
      const recall = recallOf(context, { embeddings, patienceMs: 50 })
      expect(idsOf(await recall.recall({ text: 'boiler', limit: 5 }))).toEqual(['boiler'])
    }
    const signal = AbortSignal.timeout(20)
    const patient = recallOf(context, { embeddings: deaf, patienceMs: 600_000 })
    await patient.recall({ text: 'boiler', limit: 5 }, { signal })
  })

  it('tells a correction before what it corrects', async () => {
    const context = database.newContext()
    await remember(context, 'old', 'Where may I sit? By the door.')
    await remember(context, 'new', 'The seat is elsewhere now, may it last.', { supersedes: 'old' })
    const found = await recallOf(context).recall({
      text: 'Where may I sit? By the door. Elsewhere?',
      limit: 5,
    })
    expect(idsOf(found)).toEqual(['new', 'old'])
  })

  it('lets use make it no newer to whom it was told', async () => {
    const context = database.newContext()
    await remember(context, 'a', 'The lighthouse is white.')
    const state = () =>
      context.records.read(context.operator, async ({ db }) => {
        const { rows } = await sql<Record<string, unknown>>`
          select told_at, revision, changed, used_at from memory_index where id = 'a'`.execute(db)
        return rows[0] ?? {}
      })
    const before = await state()
    await change(context, 'a', { lastUsedAt: '2026-01-01T00:00:00.000Z', uses: 1, importance: 0.8 })
    expect(await state()).toEqual({ ...before, used_at: '2026-01-01T00:00:00.000Z' })
    await change(context, 'a', { content: 'The lighthouse is red.' })
    expect(await state()).toMatchObject({ revision: 2 })
  })
})
