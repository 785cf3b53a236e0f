import { randomUUIDv7 } from 'node:crypto'
import {
  keepMemory,
  type Label,
  type MemorySource,
  memoriesCollection,
  memoryIn,
  type NewMemory,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMemories, type Memories } from './memories.ts'
import type { MemoryToForget, MentionRemover } from './mentions.ts'
import { openTestMemories, type TestMemories } from './testing/test-memories.ts'
import { workLogMentions } from './work-log-mentions.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const actor: Actor = { kind: 'operator', id: 'laptop' }
const nobody = `mem_${'0'.repeat(32)}`
const everything = { limit: 50, offset: 0 }

let testMemories: TestMemories
let memories: Memories
let mentioned: MemoryToForget[]
const history: MentionRemover = {
  remove(_hand, memory) {
    mentioned.push(memory)
    return Promise.resolve(2)
  },
}

beforeAll(async () => {
  testMemories = await openTestMemories()
})
afterAll(() => testMemories.close())
beforeEach(async () => {
  mentioned = []
  await testMemories.change(async ({ records }) => {
    for (const collection of [memoriesCollection, 'memory_never', 'memory_watch'])
      await records.clear(collection)
  })
  memories = createMemories({
    records: testMemories.kernel.records,
    uuid: randomUUIDv7,
    mentions: [history, workLogMentions],
    recall: async ({ records }, { text, limit }) => {
      const asked = { where: { status: 'active' }, search: { text, fields: ['content'] }, limit }
      const { records: found } = await records.list(memoriesCollection, asked)
      return found.map((record) => ({
        ...memoryIn(record),
        id: record.id,
        score: 0.9,
        createdAt: record.createdAt,
        label: record.label,
      }))
    },
  })
})

const me = () => testMemories.context.operator
const add = async (content: string) => (await memories.add(me(), { content, type: 'fact' }, actor)).memory.id
const suggest = (draft: Partial<NewMemory> & { content: string; replaces?: string }, source?: MemorySource) =>
  testMemories.change(async ({ records }) => {
    const kept = await keepMemory(
      records,
      { type: 'fact', source: source ?? { kind: 'agent' }, ...draft },
      { uuid: randomUUIDv7, label: untrusted, status: 'suggested' },
    )
    if (kept.kind !== 'kept') throw new Error(kept.kind)
    return kept.record.id
  })
const show = async (id: string) => (await memories.show(me(), id)).memory

describe('the operator’s own hand', () => {
  it('adds, lists and shows, with what narrows a list down', async () => {
    const tea = await add('Likes tea')
    await memories.add(me(), { content: 'Ride to work', type: 'event', tags: ['bike'], pinned: true }, actor)
    await suggest({ content: 'Owes money' })
    expect(await show(tea)).toMatchObject({ status: 'active', source: { kind: 'said' }, label: null })
    const found = async (filter: object) =>
      (await memories.list(me(), { ...everything, ...filter })).items.map(({ content }) => content)
    expect(await found({})).toEqual(['Ride to work', 'Owes money', 'Likes tea'])
    expect(await found({ status: 'suggested' })).toEqual(['Owes money'])
    expect(await found({ type: 'fact', status: 'active' })).toEqual(['Likes tea'])
    expect(await found({ tag: 'bike' })).toEqual(['Ride to work'])
    expect(await found({ q: 'TEA' })).toEqual(['Likes tea'])
    expect(await found({ q: 'elephant' })).toEqual([])
    await expect(show(nobody)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('raises an equal memory instead of adding it twice', async () => {
    const first = await add('Likes tea')
    const again = await memories.add(me(), { content: 'likes tea.', type: 'fact' }, actor)
    expect(again).toMatchObject({ raised: true, memory: { id: first, importance: 0.6 } })
  })

  it('edits in place; new words are the operator’s own, a new tag makes nothing truer', async () => {
    const id = await suggest({ content: 'Owes money' })
    const tagged = await memories.edit(me(), id, { tags: ['bank'] }, actor)
    expect(tagged.memory).toMatchObject({ tags: ['bank'], label: untrusted, status: 'suggested' })
    const worded = await memories.edit(me(), id, { content: 'Owes nothing' }, actor)
    expect(worded.memory).toMatchObject({ label: null, source: { kind: 'said' }, status: 'suggested' })
    await expect(memories.edit(me(), nobody, { pinned: true }, actor)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('corrects with a new memory and keeps the old one superseded; what is not in use is not corrected', async () => {
    const old = await add('Lives in Vienna')
    const { memory } = await memories.correct(me(), old, 'Lives in Graz', actor)
    expect(memory).toMatchObject({ status: 'active', supersedes: old, content: 'Lives in Graz' })
    expect(await show(old)).toMatchObject({ status: 'superseded', supersededBy: memory.id })
    expect((await memories.show(me(), memory.id)).earlier.map(({ id }) => id)).toEqual([old])
    await expect(memories.correct(me(), old, 'Lives in Linz', actor)).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('writes what was done to the ledger, and no word of any memory', async () => {
    const id = await add('The secret garden')
    await memories.edit(me(), id, { content: 'The secret kitchen' }, actor)
    await memories.correct(me(), id, 'The secret attic', actor)
    await memories.neverRemember(me(), 'secret cellar', actor)
    expect(await testMemories.ledger('memory.edited')).toMatchObject([
      { data: {} },
      { data: {} },
      { data: { id } },
    ])
    expect(await testMemories.dump('ledger_entries', 'events')).not.toMatch(
      /secret (garden|kitchen|attic|cellar)/,
    )
  })

  it('searches through recall, counts, and writes everything out', async () => {
    await add('Likes tea')
    await suggest({ content: 'Hates tea' })
    expect(await memories.search(me(), { text: 'tea', limit: 5 })).toMatchObject([
      { memory: { content: 'Likes tea' }, score: 0.9 },
    ])
    expect(await memories.stats(me())).toMatchObject({ total: 2, status: { active: 1, suggested: 1 } })
    const lines: string[] = []
    for await (const line of memories.exported(me())) lines.push(line)
    expect(lines.map((line) => (JSON.parse(line) as { content: string }).content).toSorted()).toEqual([
      'Hates tea',
      'Likes tea',
    ])
  })

  it('says where a memory was used', async () => {
    const id = await add('Likes tea')
    const { run } = await testMemories.seed({ calls: [{ tool: 'recall', result: `{"id":"${id}"}` }] })
    await testMemories.seed({
      calls: [
        { tool: 'recall', result: 'nothing' },
        { tool: 'read_file', result: id },
      ],
    })
    expect((await memories.show(me(), id)).used).toMatchObject([{ run, tool: 'recall' }])
  })
})

describe('review', () => {
  it('puts what is accepted in use, worth what the operator is', async () => {
    const id = await suggest({ content: 'Owes money' })
    expect((await memories.accept(me(), id, actor)).memory).toMatchObject({ status: 'active', label: null })
    await expect(memories.accept(me(), id, actor)).rejects.toMatchObject({ code: 'conflict' })
    await expect(memories.reject(me(), id, actor)).rejects.toMatchObject({ code: 'conflict' })
    await expect(memories.accept(me(), nobody, actor)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('takes the old one out of use only when its replacement is accepted', async () => {
    const old = await add('Lives in Vienna')
    const id = await suggest({ content: 'Lives in Graz', replaces: old })
    expect(await show(old)).toMatchObject({ status: 'active' })
    await memories.accept(me(), id, actor)
    expect(await show(old)).toMatchObject({ status: 'superseded', supersededBy: id })
  })

  it('raises the one in use when both say the same', async () => {
    const id = await suggest({ content: 'Likes tea' })
    const known = await add('Likes tea')
    expect(await memories.accept(me(), id, actor)).toMatchObject({ raised: true, memory: { id: known } })
    expect(await show(id)).toMatchObject({ status: 'superseded', supersededBy: known })
  })

  it('keeps what is rejected out of use, with its label', async () => {
    const id = await suggest({ content: 'Owes money' })
    expect((await memories.reject(me(), id, actor)).memory).toMatchObject({
      status: 'rejected',
      label: untrusted,
    })
  })
})

describe('what is never to be remembered', () => {
  it('is refused from then on, by every hand, until it is taken off the list', async () => {
    const before = await add('The salary is fine')
    const { never, matching } = await memories.neverRemember(me(), 'Salary', actor)
    expect(matching).toEqual([before])
    await expect(add('A new salary')).rejects.toMatchObject({ code: 'usage' })
    await expect(memories.edit(me(), before, { content: 'The salary' }, actor)).rejects.toMatchObject({
      code: 'usage',
    })
    await expect(memories.correct(me(), before, 'No salary', actor)).rejects.toMatchObject({ code: 'usage' })
    await add('Celery is fine')
    expect((await memories.neverRemember(me(), ' salary! ', actor)).never.id).toBe(never.id)
    expect(await memories.never(me())).toHaveLength(1)
    await memories.rememberAgain(me(), never.id, actor)
    await add('A new salary')
    await expect(memories.rememberAgain(me(), never.id, actor)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('forgetting', () => {
  const words = 'The "code" is 4711-XY – ünïque'
  const indexed = async () =>
    JSON.parse(await testMemories.dump('memory_index', 'memory_words')) as unknown[][]

  it('leaves no copy: not in records, not in the index, not in calls and what they left', async () => {
    const id = await add(words)
    const record = JSON.stringify({ records: [{ record: { data: { content: words } } }] })
    await testMemories.seed({
      calls: [
        { tool: 'remember', args: JSON.stringify({ content: words, type: 'fact' }), undo: record },
        { tool: 'use_tool', args: JSON.stringify({ tool: 'remember', args: { content: words } }) },
        { tool: 'recall', result: `1 memory:\n${JSON.stringify({ id, content: words })}` },
      ],
    })
    await testMemories.owner.within(me(), async ({ db, operator, now }) => {
      const at = { operator_id: operator, nonce: 'n1', digest: 'd', at: now }
      const reply = JSON.stringify({ kind: 'done', result: { text: JSON.stringify({ content: words }) } })
      await db
        .insertInto('record_permit_uses')
        .values({ ...at, reply })
        .execute()
      const card = {
        type: 'approval.requested',
        approval: { card: { effects: [`the fact “${words}”, for good`] } },
      }
      const event = { operator_id: operator, seq: 1_000_000, at: now, body: JSON.stringify(card) }
      await db.insertInto('events').values(event).execute()
    })
    expect((await indexed())[0]).toHaveLength(1)
    const forgotten = await memories.forget(me(), [id], actor)
    expect(forgotten).toMatchObject({ memories: 1, earlier: 0, traces: 2 + 5 })
    expect(
      await testMemories.dump('records', 'calls', 'events', 'ledger_entries', 'record_permit_uses'),
    ).not.toContain('4711-XY')
    expect(await indexed()).toEqual([[], []])
    const [entry] = await testMemories.ledger('memory.forgotten')
    expect(entry).toMatchObject({
      actor,
      data: { id, type: 'fact', status: 'active', traces: 7, earlier: false },
    })
    await expect(show(id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(memories.forget(me(), [id], actor)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('touches neither longer words, nor a call that is under way', async () => {
    const id = await add('tea')
    const args = JSON.stringify({ content: 'tea' })
    const { run } = await testMemories.seed({
      calls: [
        { tool: 'write_file', args: JSON.stringify({ content: 'tea for two' }), result: 'wrote tea' },
        { tool: 'remember', args, state: 'intended' },
      ],
    })
    await memories.forget(me(), [id], actor)
    const calls = await testMemories.kernel.readOnly(me(), (db) =>
      db
        .selectFrom('calls')
        .select(['args', 'result_text'])
        .where('run_id', '=', run)
        .orderBy('position')
        .execute(),
    )
    expect(calls).toMatchObject([{ args: '{"content":"tea for two"}', result_text: 'wrote tea' }, { args }])
  })

  it('takes the versions with it that it had replaced, and leaves the one that replaced it', async () => {
    const first = await add('Lives in Vienna')
    const second = (await memories.correct(me(), first, 'Lives in Graz', actor)).memory.id
    const third = (await memories.correct(me(), second, 'Lives in Linz', actor)).memory.id
    expect(await memories.previewForget(me(), [second], actor)).toMatchObject({ memories: 1, earlier: 1 })
    expect(await memories.forget(me(), [second], actor)).toMatchObject({ memories: 1, earlier: 1 })
    expect(mentioned.map(({ content }) => content).slice(-2)).toEqual(['Lives in Graz', 'Lives in Vienna'])
    expect(await show(third)).toMatchObject({ status: 'active', supersedes: null })
    expect((await memories.list(me(), everything)).total).toBe(1)
  })

  it('leaves alone what a suggestion only wanted to replace', async () => {
    const old = await add('Lives in Vienna')
    const id = await suggest({ content: 'Lives in Graz', replaces: old })
    expect(await memories.forget(me(), [id], actor)).toMatchObject({ memories: 1, earlier: 0 })
    expect(await show(old)).toMatchObject({ status: 'active' })
  })

  it('previews what would go and leaves everything as it is, ledger too', async () => {
    const ids = [await add('One thing'), await add('Another thing')]
    await testMemories.seed({ calls: [{ tool: 'remember', args: JSON.stringify({ content: 'One thing' }) }] })
    const entries = (await testMemories.ledger('memory.forgotten')).length
    expect(await memories.previewForget(me(), ids, actor)).toEqual({ memories: 2, earlier: 0, traces: 5 })
    expect((await memories.list(me(), everything)).total).toBe(2)
    expect(await testMemories.dump('calls')).toContain('One thing')
    expect((await testMemories.ledger('memory.forgotten')).length).toBe(entries)
    await expect(memories.previewForget(me(), [nobody], actor)).rejects.toMatchObject({ code: 'not_found' })
  })
})
