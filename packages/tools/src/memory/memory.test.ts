import {
  type AssistantServices,
  type JsonObject,
  type Label,
  memoriesCollection,
  memoryIn,
  neverCollection,
  noAssistantServices,
  operatorLabel,
  type Requester,
  type RunId,
  type SessionId,
  type ToolResult,
} from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type EffectsResult, parseArgs, type ToolDefinition } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { restoreRecords } from '../records/restore-records.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { createMemoryRecords, type MemoryRecords } from '../testing/records.ts'
import { batchRemember } from './batch-remember.ts'
import { boostMemory } from './boost-memory.ts'
import { forget } from './forget.ts'
import { memoryTools } from './index.ts'
import { listMemories } from './list-memories.ts'
import { memoryStats } from './memory-stats.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
const read: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }
const nobody = `mem_${'0'.repeat(32)}`
const session = `ses_${'1'.repeat(32)}` as SessionId
const run = `run_${'2'.repeat(32)}` as RunId

let records: MemoryRecords
let label: Label
let requester: Requester
let forgotten: string[]

beforeEach(() => {
  records = createMemoryRecords()
  label = operatorLabel
  requester = { kind: 'operator', id: 'desk' }
  forgotten = []
})

/** Finds whatever has one of the words, as a store without an index would. */
const assistant: AssistantServices = {
  profile: noAssistantServices.profile,
  chats: noAssistantServices.chats,
  content: noAssistantServices.content,
  origins: noAssistantServices.origins,
  async recall({ text, type, limit }) {
    const { records: all } = await records.list(memoriesCollection, {
      where: { status: 'active' },
      limit: 100,
    })
    const words = text.toLowerCase().split(' ')
    return all
      .map((record) => ({ record, memory: memoryIn(record) }))
      .filter(({ memory }) => words.some((word) => memory.content.toLowerCase().includes(word)))
      .filter(({ memory }) => type === undefined || memory.type === type)
      .slice(0, limit)
      .map(({ record, memory: { content, type: kind, importance, tags } }) => ({
        id: record.id,
        content,
        type: kind,
        importance,
        tags,
        score: 0.5,
        createdAt: record.createdAt,
        label: record.label,
      }))
  },
  schedules: noAssistantServices.schedules,
  async forget(ids) {
    for (const id of ids) {
      const record = await records.get(memoriesCollection, id)
      if (record) await records.remove(memoriesCollection, id, record.version)
      forgotten.push(id)
    }
    return ids.length
  },
  searchHistory: () => Promise.reject(new Error('not here')),
  begin: () => Promise.reject(new Error('not here')),
  hold: () => Promise.reject(new Error('not here')),
}

const base = createRecordToolRunner()
const context = (): RecordToolContext => ({
  ...base.context,
  records,
  assistant,
  cause: { requester, label, session, run, agent: 'assistant', goal: null },
})

async function resolve(tool: ToolDefinition, args: JsonObject): Promise<EffectsResult> {
  const parsed = parseArgs(tool, args)
  if (tool.runs !== 'gateway' || parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed))
  return tool.effects(parsed.args, { ...context(), cause: undefined })
}

async function use(tool: ToolDefinition, args: JsonObject): Promise<ToolResult> {
  const parsed = parseArgs(tool, args)
  if (tool.runs !== 'gateway' || parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed))
  return tool.run(parsed.args, context())
}

const idIn = ({ text }: ToolResult) => /mem_[0-9a-f]{32}/.exec(text)?.[0] ?? ''
const memory = async (id: string) => {
  const found = await records.get(memoriesCollection, id)
  return found && { ...memoryIn(found), label: found.label }
}
const fact = (content: string): JsonObject => ({ content, type: 'fact' })
const undo = (result: ToolResult) =>
  use(restoreRecords, JSON.parse(result.undo?.args ?? 'null') as JsonObject)

describe('remember', () => {
  it('keeps a memory in use, with its defaults and where it came from', async () => {
    const result = await use(remember, fact('Lives in Vienna'))
    expect(await memory(idIn(result))).toEqual({
      content: 'Lives in Vienna',
      type: 'fact',
      importance: 0.5,
      tags: [],
      status: 'active',
      source: { kind: 'agent', session, run },
      goal: null,
      pinned: false,
      uses: 0,
      lastUsedAt: null,
      supersedes: null,
      supersededBy: null,
      confidence: 1,
      label: null,
    })
  })

  it('only suggests what content from outside led to, and says so', async () => {
    for (const [who, worth] of [
      [requester, untrusted],
      [requester, { ...read, confidentiality: 'secret' }],
      [requester, { ...read, integrity: 'paired' }],
      [{ kind: 'peer', id: 'anna' }, operatorLabel],
      [{ kind: 'webhook', id: 'shop' }, operatorLabel],
    ] as const) {
      requester = who
      label = worth
      const result = await use(remember, fact(`Pays ${who.kind} ${worth.integrity} ${worth.confidentiality}`))
      expect(result.text).toContain('waits for the operator’s review')
      const kept = await memory(idIn(result))
      expect(kept?.status).toBe('suggested')
      expect(kept?.label).not.toBeNull()
    }
    requester = { kind: 'schedule', id: 'sched_1' }
    label = read
    expect((await memory(idIn(await use(remember, fact('Own notes are read')))))?.status).toBe('active')
  })

  it('makes an equal memory more important instead of a second one', async () => {
    const first = idIn(await use(remember, fact('Likes green tea')))
    const again = await use(remember, { ...fact(' likes  GREEN tea!'), importance: 0.7 })
    expect(again.text).toContain(`${first} says the same already`)
    expect((await memory(first))?.importance).toBe(0.8)
    expect((await records.count('')).get(memoriesCollection)).toBe(1)
    await undo(again)
    expect((await memory(first))?.importance).toBe(0.5)
  })

  it('takes for equal neither other words, nor another goal, nor a figure that differs by its point', async () => {
    const goal = `goal_${'3'.repeat(32)}`
    for (const args of [
      fact('Pays 3.5 percent'),
      fact('Pays 35 percent'),
      fact('Pays 35 percent more'),
      { ...fact('Pays 35 percent'), goal },
    ])
      expect((await use(remember, args)).text).toContain('Remembered as')
    expect((await records.count('')).get(memoriesCollection)).toBe(4)
  })

  it('does not let untrusted content raise what is in use, nor suggest the same twice', async () => {
    const first = idIn(await use(remember, fact('Bank is Example Bank')))
    label = untrusted
    expect((await use(remember, fact('Bank is Example Bank'))).undo).toBeNull()
    expect((await memory(first))?.importance).toBe(0.5)
    const waiting = idIn(await use(remember, fact('Bank is Other Bank')))
    expect(idIn(await use(remember, fact('bank is other bank')))).toBe(waiting)
    expect((await records.count('')).get(memoriesCollection)).toBe(2)
  })

  it('replaces a memory that it corrects, and the undo puts both back', async () => {
    const old = idIn(await use(remember, fact('Lives in Vienna')))
    const result = await use(remember, { ...fact('Lives in Graz'), replaces: old })
    const fresh = idIn(result)
    expect(await memory(old)).toMatchObject({ status: 'superseded', supersededBy: fresh })
    expect(await memory(fresh)).toMatchObject({ status: 'active', supersedes: old })
    await undo(result)
    expect(await memory(old)).toMatchObject({ status: 'active', supersededBy: null })
    expect(await memory(fresh)).toBeUndefined()
  })

  it('leaves the old one in use while its replacement waits for review', async () => {
    const old = idIn(await use(remember, fact('Lives in Vienna')))
    label = untrusted
    const fresh = idIn(await use(remember, { ...fact('Lives in Graz'), replaces: old }))
    expect(await memory(old)).toMatchObject({ status: 'active', supersededBy: null })
    expect(await memory(fresh)).toMatchObject({ status: 'suggested', supersedes: old })
  })

  it('refuses to replace what is not in use', async () => {
    expect(await resolve(remember, { ...fact('X'), replaces: nobody })).toMatchObject({ kind: 'invalid' })
    expect(await use(remember, { ...fact('X'), replaces: nobody })).toMatchObject({ ok: false })
  })

  it('refuses what the operator wants never remembered, and nothing that merely resembles it', async () => {
    await records.insert(neverCollection, 'never_1', { words: 'Salary' }, null)
    expect(await use(remember, fact('The salary is 4000.'))).toMatchObject({ ok: false })
    expect(await use(remember, fact('Works for salaryman.example'))).toMatchObject({ ok: true })
    expect((await records.count('')).get(memoriesCollection)).toBe(1)
  })

  it('only suggests again what the operator rejected once', async () => {
    const id = idIn(await use(remember, fact('Hates Mondays')))
    const record = await records.get(memoriesCollection, id)
    await records.replace(memoriesCollection, id, 1, { ...record?.data, status: 'rejected' }, null)
    expect((await memory(idIn(await use(remember, fact('Hates Mondays')))))?.status).toBe('suggested')
  })

  it('refuses empty and endless words, unknown types and fields that are not the agent’s to set', () => {
    for (const args of [
      {},
      { content: 'A' },
      { content: ' ', type: 'fact' },
      { content: 'x'.repeat(2_001), type: 'fact' },
      { content: 'a\u0000b', type: 'fact' },
      { content: 'A', type: 'rumour' },
      { content: 'A', type: 'fact', importance: 1.1 },
      { content: 'A', type: 'fact', pinned: true },
      { content: 'A', type: 'fact', status: 'active' },
      { content: 'A', type: 'fact', replaces: 'task_1' },
    ])
      expect(parseArgs(remember, args).kind, JSON.stringify(args)).toBe('invalid')
    expect(parseArgs(remember, { content: 'x'.repeat(2_000), type: 'skill' }).kind).toBe('args')
  })

  it('writes no word of the memory where nothing can be removed: headline, summary and effects', async () => {
    const args = { ...fact('The code is 4711'), tags: ['door'] }
    const found = await resolve(remember, args)
    const { summary } = await use(remember, args)
    const batch = { memories: [args] }
    const shown = [remember.describe(args), batchRemember.describe(batch), summary, found]
    expect(JSON.stringify(shown)).not.toMatch(/4711|door/)
    expect(JSON.stringify(remember.preview(args))).toContain('4711')
  })
})

describe('batch_remember', () => {
  it('keeps up to fifty, tells which were refused, and takes all back at once', async () => {
    await records.insert(neverCollection, 'never_1', { words: 'salary' }, null)
    const memories = Array.from({ length: 49 }, (_, location) => fact(`Fact number ${location}`))
    const result = await use(batchRemember, { memories: [...memories, fact('The salary')] })
    expect(result).toMatchObject({ ok: true, summary: 'Remembered 49, refused 1' })
    expect(result.text).toContain('memories.49')
    await undo(result)
    expect((await records.count('')).get(memoriesCollection) ?? 0).toBe(0)
    expect(parseArgs(batchRemember, { memories: [...memories, fact('A'), fact('B')] }).kind).toBe('invalid')
    expect(parseArgs(batchRemember, { memories: [] }).kind).toBe('invalid')
  })

  it('fails when nothing of it may be remembered', async () => {
    await records.insert(neverCollection, 'never_1', { words: 'salary' }, null)
    expect(await use(batchRemember, { memories: [fact('The salary')] })).toMatchObject({ ok: false })
  })
})

describe('recall', () => {
  it('tells what fits, counts the use, and taints by what led to it', async () => {
    const tea = idIn(await use(remember, fact('Likes green tea')))
    const coffee = idIn(await use(remember, fact('Likes black coffee')))
    const result = await use(recall, { query: 'tea' })
    expect(result.text).toContain('"content":"Likes green tea"')
    expect(result.label).toBeUndefined()
    expect(await memory(tea)).toMatchObject({ uses: 1, lastUsedAt: '2026-03-01T12:00:00.000Z' })
    expect(await memory(coffee)).toMatchObject({ uses: 0, lastUsedAt: null })
    await records.insert(
      memoriesCollection,
      `mem_${'9'.repeat(32)}`,
      { ...(await rawOf(tea)), content: 'Tea is bad' },
      untrusted,
    )
    expect((await use(recall, { query: 'tea' })).label).toEqual(untrusted)
  })

  it('gives ten unless told and fifty at most, and says what to do when nothing fits', async () => {
    await use(batchRemember, {
      memories: Array.from({ length: 50 }, (_, location) => fact(`Fact ${location}`)),
    })
    await use(batchRemember, { memories: [fact('Fact 50'), fact('Fact 51')] })
    const count = async (args: JsonObject) => (await use(recall, args)).text.split('\n').length - 1
    expect(await count({ query: 'fact' })).toBe(10)
    expect(await count({ query: 'fact', limit: 500 })).toBe(50)
    expect((await use(recall, { query: 'elephant' })).text).toContain('list_memories')
    expect(parseArgs(recall, { query: '' }).kind).toBe('invalid')
  })
})

describe('forget', () => {
  it('removes for good through the one who knows every trace, without an undo', async () => {
    const id = idIn(await use(remember, fact('The code is 4711')))
    const found = await resolve(forget, { memoryId: id })
    expect(found).toMatchObject({
      resources: [{ id, op: 'delete', version: null }],
      effects: [{ verb: 'delete', reversible: false, object: 'the fact “The code is 4711”, for good' }],
    })
    const result = await use(forget, { memoryId: id })
    expect(forgotten).toEqual([id])
    expect(result).toMatchObject({ ok: true, undo: null })
    expect(forget.undo).toBeUndefined()
    expect(JSON.stringify([result, forget.describe({ memoryId: id })])).not.toContain('4711')
    expect(await memory(id)).toBeUndefined()
  })

  it('refuses a memory that is not there, and an undo cannot bring a forgotten one back', async () => {
    expect(await resolve(forget, { memoryId: nobody })).toMatchObject({ kind: 'invalid' })
    expect(await use(forget, { memoryId: nobody })).toMatchObject({ ok: false })
    expect(forgotten).toEqual([])
    const id = idIn(await use(remember, fact('The code is 4711')))
    const boosted = await use(boostMemory, { memoryId: id })
    await use(forget, { memoryId: id })
    expect(await undo(boosted)).toMatchObject({ ok: false })
    expect(await memory(id)).toBeUndefined()
  })
})

describe('list_memories', () => {
  it('shows those in use, by type and tag, and only counts what waits', async () => {
    await use(remember, { ...fact('A fact'), tags: ['work'] })
    await use(remember, { content: 'A preference', type: 'preference' })
    label = untrusted
    await use(remember, fact('A rumour'))
    label = operatorLabel
    const all = await use(listMemories, {})
    expect(all.text).toContain('2 of 2 memories')
    expect(all.text).toContain('1 suggestion waits')
    expect(all.text).not.toContain('rumour')
    expect(all.label).toBeUndefined()
    expect((await use(listMemories, { tag: 'work' })).text).not.toContain('preference')
    expect((await use(listMemories, { type: 'preference' })).text).toContain('1 of 1')
    expect(parseArgs(listMemories, { status: 'suggested' }).kind).toBe('invalid')
  })
})

describe('boost_memory', () => {
  it('adds to the importance, up to one, and can be taken back', async () => {
    const memoryId = idIn(await use(remember, fact('A')))
    const result = await use(boostMemory, { memoryId })
    expect((await memory(memoryId))?.importance).toBe(0.6)
    await undo(result)
    expect((await memory(memoryId))?.importance).toBe(0.5)
    await use(boostMemory, { memoryId, amount: 1 })
    expect((await memory(memoryId))?.importance).toBe(1)
  })

  it('refuses what is not in use, what content from outside wants, and an amount below nothing', async () => {
    const memoryId = idIn(await use(remember, fact('A')))
    label = untrusted
    const waiting = idIn(await use(remember, fact('B')))
    expect(await use(boostMemory, { memoryId })).toMatchObject({ ok: false })
    expect((await memory(memoryId))?.importance).toBe(0.5)
    expect(await resolve(boostMemory, { memoryId: waiting })).toMatchObject({ kind: 'invalid' })
    expect(await resolve(boostMemory, { memoryId: nobody })).toMatchObject({ kind: 'invalid' })
    expect(parseArgs(boostMemory, { memoryId, amount: -0.1 }).kind).toBe('invalid')
  })
})

describe('memory_stats', () => {
  it('counts by status and type and tells no words', async () => {
    await use(remember, fact('Secret words'))
    label = untrusted
    await use(remember, { content: 'More words', type: 'event' })
    const { text } = await use(memoryStats, {})
    expect(JSON.parse(text)).toEqual({
      total: 2,
      status: { active: 1, suggested: 1, superseded: 0, rejected: 0 },
      type: { fact: 1, preference: 0, event: 0, skill: 0 },
      pinned: 0,
      unused: 1,
      newestAt: '2026-03-01T12:00:00.000Z',
      oldestAt: '2026-03-01T12:00:00.000Z',
    })
  })
})

it('has the eight tools, each with words to find it by and a short description', () => {
  expect(memoryTools.map(({ name }) => name)).toEqual([
    'about_operator',
    'remember',
    'batch_remember',
    'recall',
    'forget',
    'list_memories',
    'boost_memory',
    'memory_stats',
  ])
  for (const { name, description, tags } of memoryTools) {
    expect(description.length, name).toBeLessThanOrEqual(280)
    expect(tags.length, name).toBeGreaterThanOrEqual(4)
  }
})

async function rawOf(id: string): Promise<JsonObject> {
  return (await records.get(memoriesCollection, id))?.data ?? {}
}
