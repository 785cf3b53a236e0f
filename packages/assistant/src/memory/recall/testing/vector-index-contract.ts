/** What every vector index does, on a real database. */
import type { JsonObject } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AssistantContext } from '../../../assistant-context.ts'
import type { MemoryFilter, NewVector, VectorIndex } from '../vector-index.ts'
import { between, unitVector } from './made-vectors.ts'

export interface ContractSetting {
  newContext(): AssistantContext
  /** A second one on the same database, as in another process. */
  newIndex(): Promise<VectorIndex>
  close(): Promise<void>
}

const dimensions = 16
const model = 'test/one'

export function vectorIndexContract(name: string, open: () => Promise<ContractSetting>): void {
  let setting: ContractSetting
  let index: VectorIndex

  const remember = (context: AssistantContext, id: string, data: JsonObject = {}) =>
    context.records.change(context.operator, ({ records }) =>
      records.insert(
        'memories',
        id,
        { content: `memory ${id}`, type: 'fact', status: 'active', ...data },
        null,
      ),
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
  const vectorFor = (memory: string, seed: number, rest: Partial<NewVector> = {}): NewVector => ({
    memory,
    revision: 1,
    model,
    vector: unitVector(dimensions, seed),
    ...rest,
  })
  const keep = async (context: AssistantContext, ...vectors: NewVector[]) =>
    (await context.records.change(context.operator, ({ db }) => index.upsert(db, context.operator, vectors)))
      .value
  const search = async (
    context: AssistantContext,
    seed: number | Float32Array,
    {
      limit = 10,
      filter = {},
      from = index,
      of = model,
    }: {
      limit?: number
      filter?: MemoryFilter
      from?: VectorIndex
      of?: string
    } = {},
  ) => {
    const vector = typeof seed === 'number' ? unitVector(dimensions, seed) : seed
    return context.records.read(context.operator, async ({ db }) => {
      await from.prepare(db, context.operator)
      return from.search((work) => work(db), context.operator, { model: of, vector, limit, filter })
    })
  }
  const idsOf = (found: readonly { memory: string }[]) => found.map(({ memory }) => memory)

  describe(`the vector index: ${name}`, () => {
    beforeAll(async () => {
      setting = await open()
      index = await setting.newIndex()
    })
    afterAll(async () => {
      await index?.close()
      await setting?.close()
    })

    it('finds the nearest first, with the cosine, and no more than asked for', async () => {
      const context = setting.newContext()
      const [one, other] = [unitVector(dimensions, 1), unitVector(dimensions, 2)]
      for (const id of ['a', 'b', 'c', 'd']) await remember(context, id)
      await keep(
        context,
        vectorFor('a', 0, { vector: between(one, other, 0.5) }),
        vectorFor('b', 0, { vector: one }),
        vectorFor('c', 0, { vector: between(one, other, 0.2) }),
        vectorFor('d', 2),
      )
      const found = await search(context, one, { limit: 3 })
      expect(idsOf(found)).toEqual(['b', 'c', 'a'])
      expect(found[0]?.likeness).toBeCloseTo(1, 5)
      const c = between(one, other, 0.2)
      expect(found[1]?.likeness).toBeCloseTo(
        one.reduce((sum, value, place) => sum + value * (c[place] ?? 0), 0),
        5,
      )
      expect(await search(context, one, { limit: 0 })).toEqual([])
    })

    it('finds the same as comparing each with each', async () => {
      const context = setting.newContext()
      const ids = Array.from({ length: 200 }, (_, place) => `m${place}`)
      for (const id of ids) await remember(context, id)
      await keep(context, ...ids.map((id, place) => vectorFor(id, place + 100)))
      const asked = unitVector(dimensions, 5)
      const exact = ids
        .map((id, place) => ({
          id,
          likeness: unitVector(dimensions, place + 100).reduce((sum, v, at) => sum + v * (asked[at] ?? 0), 0),
        }))
        .toSorted((a, b) => b.likeness - a.likeness)
      expect(idsOf(await search(context, asked, { limit: 20 }))).toEqual(
        exact.slice(0, 20).map(({ id }) => id),
      )
    })

    it('keeps one operator from the vectors of another', async () => {
      const [anna, ben] = [setting.newContext(), setting.newContext()]
      await remember(anna, 'hers')
      await keep(anna, vectorFor('hers', 1))
      await remember(ben, 'his')
      await keep(ben, vectorFor('his', 2))
      expect(idsOf(await search(ben, 1))).toEqual(['his'])
      expect(idsOf(await search(anna, 1))).toEqual(['hers'])
      const { value } = await ben.records.change(ben.operator, ({ db }) =>
        index.upsert(db, ben.operator, [vectorFor('hers', 3)]),
      )
      expect(value).toBe(0)
    })

    it('finds active memories, and others only when they are asked for', async () => {
      const context = setting.newContext()
      await remember(context, 'used')
      await remember(context, 'waiting', { status: 'suggested' })
      await keep(context, vectorFor('used', 1), vectorFor('waiting', 1))
      expect(idsOf(await search(context, 1))).toEqual(['used'])
      expect(idsOf(await search(context, 1, { filter: { status: 'suggested' } }))).toEqual(['waiting'])
      await change(context, 'waiting', { status: 'active' })
      await change(context, 'used', { status: 'superseded' })
      expect(idsOf(await search(context, 1))).toEqual(['waiting'])
    })

    it('narrows by type, by goal and by tags', async () => {
      const context = setting.newContext()
      await remember(context, 'fact', { tags: ['work', 'berlin'] })
      await remember(context, 'event', { type: 'event', goal: 'goal_a', tags: ['work'] })
      await remember(context, 'other', { type: 'event', goal: 'goal_b' })
      await keep(context, vectorFor('fact', 1), vectorFor('event', 2), vectorFor('other', 3))
      const narrowed = async (filter: MemoryFilter) => idsOf(await search(context, 1, { filter })).toSorted()
      expect(await narrowed({})).toEqual(['event', 'fact', 'other'])
      expect(await narrowed({ type: 'event' })).toEqual(['event', 'other'])
      expect(await narrowed({ type: 'skill' })).toEqual([])
      expect(await narrowed({ goal: 'goal_a' })).toEqual(['event', 'fact'])
      expect(await narrowed({ goal: 'goal_unknown' })).toEqual(['fact'])
      expect(await narrowed({ goal: null })).toEqual(['fact'])
      expect(await narrowed({ tags: ['work'] })).toEqual(['event', 'fact'])
      expect(await narrowed({ tags: ['work', 'berlin'] })).toEqual(['fact'])
      expect(await narrowed({ tags: [] })).toEqual(['event', 'fact', 'other'])
      await change(context, 'fact', { goal: 'goal_b', tags: [] })
      expect(await narrowed({ goal: 'goal_a' })).toEqual(['event'])
      expect(await narrowed({ tags: ['berlin'] })).toEqual([])
    })

    it('never compares vectors of two models', async () => {
      const context = setting.newContext()
      await remember(context, 'a')
      await keep(context, vectorFor('a', 1))
      expect(idsOf(await search(context, 1))).toEqual(['a'])
      expect(await search(context, 1, { of: 'test/two' })).toEqual([])
      expect(await search(context, unitVector(dimensions * 2, 1))).toEqual([])
      await keep(context, vectorFor('a', 2, { model: 'test/two', vector: unitVector(24, 1) }))
      expect(await search(context, 1)).toEqual([])
      expect(idsOf(await search(context, unitVector(24, 1), { of: 'test/two' }))).toEqual(['a'])
    })

    it('forgets the vector with the memory, with its content, and when it is told to', async () => {
      const context = setting.newContext()
      for (const id of ['gone', 'rewritten', 'emptied', 'kept']) await remember(context, id)
      const all = ['gone', 'rewritten', 'emptied', 'kept'].map((id, place) => vectorFor(id, place + 1))
      expect(await keep(context, ...all)).toBe(4)
      expect(await search(context, 1)).toHaveLength(4)
      await forget(context, 'gone')
      await change(context, 'rewritten', { content: 'something else' })
      await change(context, 'kept', { importance: 0.9 })
      await context.records.change(context.operator, ({ db }) =>
        index.remove(db, context.operator, ['emptied']),
      )
      expect(idsOf(await search(context, 1))).toEqual(['kept'])
      const { rows } = await context.records.read(context.operator, ({ db }) =>
        sql`select id from memory_index where operator_id = ${context.operator} and vector is not null`.execute(
          db,
        ),
      )
      expect(rows).toEqual([{ id: 'kept' }])
    })

    it('refuses a vector that was made from an earlier content', async () => {
      const context = setting.newContext()
      await remember(context, 'a')
      await change(context, 'a', { content: 'new words' })
      expect(await keep(context, vectorFor('a', 1, { revision: 1 }))).toBe(0)
      expect(await search(context, 1)).toEqual([])
      expect(await keep(context, vectorFor('a', 1, { revision: 2 }))).toBe(1)
      expect(await keep(context, vectorFor('nobody', 1))).toBe(0)
    })

    it('hears what another process has changed, and nothing of what was taken back', async () => {
      const context = setting.newContext()
      const other = await setting.newIndex()
      for (const id of ['a', 'b']) await remember(context, id)
      await keep(context, vectorFor('a', 1))
      expect(idsOf(await search(context, 1, { from: other }))).toEqual(['a'])
      await keep(context, vectorFor('b', 2))
      expect(idsOf(await search(context, 2, { from: other }))).toEqual(['b', 'a'])
      await context.records
        .change(context.operator, async ({ db, records }) => {
          await records.clear('memories')
          await other.prepare(db, context.operator)
          throw new Error('taken back')
        })
        .catch(() => undefined)
      expect(idsOf(await search(context, 2, { from: other }))).toEqual(['b', 'a'])
      await forget(context, 'b')
      expect(idsOf(await search(context, 2, { from: other }))).toEqual(['a'])
      await other.close()
    })

    it('hears of a change that was begun before another and committed after it', async () => {
      const context = setting.newContext()
      for (const id of ['slow', 'quick']) await remember(context, id)
      const written = Promise.withResolvers<void>()
      const may = Promise.withResolvers<void>()
      const slow = context.records.change(context.operator, async ({ db }) => {
        await index.upsert(db, context.operator, [vectorFor('slow', 1)])
        written.resolve()
        await may.promise
      })
      await written.promise
      await keep(context, vectorFor('quick', 2))
      expect(idsOf(await search(context, 1))).toEqual(['quick'])
      may.resolve()
      await slow
      expect(idsOf(await search(context, 1))).toEqual(['slow', 'quick'])
    })

    it('takes over vectors that were kept before it was there', async () => {
      const context = setting.newContext()
      await remember(context, 'a')
      await keep(context, vectorFor('a', 1))
      const other = await setting.newIndex()
      await context.records.change(context.operator, ({ db }) => other.repair(db, context.operator))
      expect(idsOf(await search(context, 1, { from: other }))).toEqual(['a'])
      await other.close()
    })
  })
}
