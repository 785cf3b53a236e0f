import { randomUUIDv7 } from 'node:crypto'
import {
  type AutomaticMemory,
  type Label,
  type MemoryStatus,
  memoriesCollection,
  memoryIn,
  neverCollection,
  operatorLabel,
} from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgetMemory } from './forget.ts'
import { createObserver, type ExtractionRequest, type Observer } from './observer.ts'
import { openTestMemories, type SeededRun, type TestMemories } from './testing/test-memories.ts'

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] }
const start = new Date('2026-03-01T12:00:00.000Z')
const said = 'I moved to Graz last week.'
const fact = { content: 'Lives in Graz', type: 'fact', excerpt: 'I moved to Graz' }

let testMemories: TestMemories
let asked: ExtractionRequest[]
let reply: () => Promise<string | undefined>

beforeAll(async () => {
  testMemories = await openTestMemories()
})
afterAll(() => testMemories.close())
beforeEach(async () => {
  testMemories.now = start
  asked = []
  reply = () => Promise.resolve(JSON.stringify([fact]))
  await testMemories.change(async ({ records }) => {
    for (const collection of [memoriesCollection, neverCollection, 'memory_watch'])
      await records.clear(collection)
  })
})

const observe = (automatic: AutomaticMemory = 'suggest'): Observer =>
  createObserver({
    context: testMemories.context,
    automatic,
    ask: (request) => {
      asked.push(request)
      return reply()
    },
  })

async function ended(observer: Observer, seed: SeededRun = { words: [said] }) {
  const { session, run } = await testMemories.seed(seed)
  await testMemories.change((tx) =>
    observer.ended(
      tx,
      {
        id: run,
        session_id: session,
        kind: 'agent',
        agent: seed.agent ?? 'assistant',
        unattended: seed.unattended ?? false,
        label: seed.label ?? operatorLabel,
      },
      new Set(seed.calls?.map(({ tool }) => tool)),
    ),
  )
  return { session, run }
}

const kept = () =>
  testMemories.change(async ({ records }) =>
    (await records.list(memoriesCollection, { limit: 50 })).records.map((record) => ({
      ...memoryIn(record),
      label: record.label,
    })),
  )
const waiting = () =>
  testMemories.change(async ({ records }) => (await records.list('memory_watch', { limit: 50 })).total)
const later = (minutes: number) => {
  testMemories.now = new Date(testMemories.now.getTime() + minutes * 60_000)
}

describe('after a conversation', () => {
  it('what the operator said is suggested, with the words that it came from', async () => {
    const observer = observe()
    const { session, run } = await ended(observer)
    expect(await observer.tend()).toBe(1)
    expect(await kept()).toMatchObject([
      {
        content: 'Lives in Graz',
        status: 'suggested',
        source: { kind: 'inferred', session, run, excerpt: 'I moved to Graz' },
        confidence: 0.5,
        label: null,
      },
    ])
    expect(asked).toMatchObject([{ purpose: 'extraction', run, prompt: JSON.stringify([said]) }])
    expect(await testMemories.ledger('memory.inferred')).toMatchObject([{ data: { status: 'suggested' } }])
    expect(await testMemories.dump('ledger_entries')).not.toContain('Graz')
    expect(await observer.tend()).toBe(0)
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['on', operatorLabel, 'active', null],
    ['on', untrusted, 'suggested', untrusted],
    ['suggest', untrusted, 'suggested', untrusted],
  ] as const)(
    'with %s it becomes what the run was worth',
    async (automatic, label, status: MemoryStatus, keeps) => {
      const observer = observe(automatic)
      await ended(observer, { words: [said], label })
      await observer.tend()
      expect(await kept()).toMatchObject([{ status, label: keeps }])
    },
  )

  it('only the operator’s own words are shown to the model, and only they can be an excerpt', async () => {
    const observer = observe('on')
    const theirs = 'The landlord always pays the rent.'
    await ended(observer, {
      words: [
        said,
        { text: theirs, requester: { kind: 'peer', id: 'anna' } },
        { text: theirs, label: untrusted },
      ],
    })
    reply = () =>
      Promise.resolve(JSON.stringify([{ ...fact, content: 'Pays no rent', excerpt: 'pays the rent' }]))
    await observer.tend()
    expect(asked[0]?.prompt).toBe(JSON.stringify([said]))
    expect(await kept()).toEqual([])
  })

  it('nothing is looked at that nobody said: work of its own, other agents, undone or forgotten things', async () => {
    const observer = observe()
    await ended(observer, { words: [said], unattended: true })
    await ended(observer, { words: [said], agent: 'goal' })
    await ended(observer, { words: [said], calls: [{ tool: 'forget' }] })
    await ended(observe('off'))
    expect(await waiting()).toBe(0)
    await ended(observer, { words: ['Thanks!'] })
    expect(await observer.tend()).toBe(1)
    expect(asked).toEqual([])
  })

  it('nothing is brought up again that is known, corrected or rejected, nor what is never to be remembered', async () => {
    const observer = observe()
    for (const status of ['active', 'superseded', 'rejected', 'suggested'] as const) {
      const data = { ...fact, status, source: { kind: 'said' } }
      const { excerpt: _, ...memory } = data
      await testMemories.change(async ({ records }) => {
        await records.clear(memoriesCollection)
        await records.insert(memoriesCollection, 'mem_1', memory, null)
      })
      await ended(observer)
      await observer.tend()
      expect(await kept(), status).toHaveLength(1)
    }
    await testMemories.change(async ({ records }) => {
      await records.clear(memoriesCollection)
      await records.insert(neverCollection, 'never_1', { words: 'graz' }, null)
    })
    await ended(observer)
    expect(await observer.tend()).toBe(1)
    expect(await kept()).toEqual([])
  })
})

describe('a model that does not answer', () => {
  it('is asked again later, three times at most, and then it is written down', async () => {
    const observer = observe()
    const answers = [
      () => Promise.resolve(undefined),
      () => Promise.reject(new Error('no line')),
      () => Promise.resolve('Sorry, I cannot.'),
    ]
    reply = () => answers.shift()?.() ?? Promise.resolve('[]')
    const { run } = await ended(observer)
    expect(await observer.tend()).toBe(0)
    expect(await observer.tend()).toBe(0)
    expect(asked).toHaveLength(1)
    later(6)
    await observer.tend()
    later(11)
    expect(await observer.tend()).toBe(1)
    later(60)
    expect(await observer.tend()).toBe(0)
    expect(asked).toHaveLength(3)
    expect(await waiting()).toBe(0)
    expect(await testMemories.ledger('memory.not_extracted')).toMatchObject([{ run, data: { attempts: 3 } }])
  })

  it('is heard when it answers the second time', async () => {
    const observer = observe()
    const answers = [undefined, JSON.stringify([fact])]
    reply = () => Promise.resolve(answers.shift())
    await ended(observer)
    await observer.tend()
    later(6)
    expect(await observer.tend()).toBe(1)
    expect(await kept()).toHaveLength(1)
  })

  it('is asked once when two processes look at the same time', async () => {
    const [one, other] = [observe(), observe()]
    await ended(one)
    await Promise.all([one.tend(), other.tend()])
    expect(asked).toHaveLength(1)
    expect(await kept()).toHaveLength(1)
  })
})

it('drops what a model proposes when something was forgotten while it thought', async () => {
  const observer = observe('on')
  await ended(observer)
  reply = async () => {
    await testMemories.change(async (tx) => {
      const memory = { content: 'Lives in Graz', type: 'fact', source: { kind: 'said' } }
      const id = `mem_${randomUUIDv7().replaceAll('-', '')}`
      await tx.records.insert(memoriesCollection, id, memory, null)
      await forgetMemory(tx, [id], { kind: 'operator', id: 'laptop' }, [])
    })
    return JSON.stringify([fact])
  }
  expect(await observer.tend()).toBe(0)
  expect(await kept()).toEqual([])
})
