/** Memories of the scripted gateway: a list that a test fills, and what was asked of it. */
import {
  AddMemory,
  CountersignError,
  EditMemory,
  ForgetMemories,
  holdsWords,
  Memory,
  type MemoryView,
  type NeverView,
} from '@countersign/contract'
import type { SeenRequest } from './models.ts'

export interface FakeMemory {
  readonly asked: SeenRequest[]
  memories: MemoryView[]
  never: NeverView[]
  /** Places that hold words of each memory. */
  traces: number
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const at = '2026-08-01T09:00:00.000Z'
const ledger = 7

export function memoryView(given: Partial<MemoryView> & { content: string }): MemoryView {
  const { id = newId(), version = 1, createdAt = at, updatedAt = at, label = null, ...rest } = given
  const memory = Memory.parse({ type: 'fact', source: { kind: 'said' }, ...rest })
  return { ...memory, id, version, createdAt, updatedAt, label }
}

export function fakeMemory(): FakeMemory {
  const fake: FakeMemory = {
    asked: [],
    memories: [],
    never: [],
    traces: 0,
    answer(request) {
      const [, , noun = '', ref = '', verb = ''] = request.path.split('/').map(decodeURIComponent)
      fake.asked.push(request)
      switch (noun) {
        case 'memories':
          return ref === '' ? all(request) : one(request, ref, verb)
        case 'memory-suggestions':
          return page(request, (memory) => memory.status === 'suggested')
        case 'memory-search':
          return fake.memories
            .filter(({ status, content }) => status === 'active' && fits(content, request.query['q'] ?? ''))
            .map((memory) => ({ memory, score: 0.873 }))
        case 'memory-stats':
          return stats()
        case 'memory-forget':
          return forget(ForgetMemories.parse(request.body))
        case 'memory-never':
          return never(request, ref)
        default:
          fake.asked.pop()
          return undefined
      }
    },
  }

  function page({ query }: SeenRequest, fitting: (memory: MemoryView) => boolean) {
    const [limit, offset] = [Number(query['limit'] ?? 50), Number(query['offset'] ?? 0)]
    const found = fake.memories.filter(fitting)
    return { items: found.slice(offset, offset + limit), total: found.length, limit, offset }
  }

  function all(request: SeenRequest): unknown {
    if (request.method === 'POST') {
      const memory = memoryView(AddMemory.parse(request.body))
      const known = fake.memories.find(({ content }) => content === memory.content)
      if (!known) fake.memories.push(memory)
      return { memory: known ?? memory, raised: known !== undefined, ledger }
    }
    const { status, type, tag, q } = request.query
    return page(
      request,
      (memory) =>
        (status === undefined || memory.status === status) &&
        (type === undefined || memory.type === type) &&
        (tag === undefined || memory.tags.includes(tag)) &&
        (q === undefined || fits(memory.content, q)),
    )
  }

  function one({ method, body }: SeenRequest, id: string, verb: string): unknown {
    const memory = fake.memories.find((each) => each.id === id)
    if (!memory) throw new CountersignError('not_found', `There is no memory ${id}.`)
    const put = (change: Partial<MemoryView>) => {
      const changed = { ...memory, ...change }
      fake.memories = fake.memories.map((each) => (each.id === id ? changed : each))
      return { memory: changed, raised: false, ledger }
    }
    switch (`${method} ${verb}`) {
      case 'GET ':
        return {
          memory,
          used: [],
          earlier: fake.memories.filter((each) => each.id === memory.supersedes),
        }
      case 'PUT ':
        return put(EditMemory.parse(body))
      case 'POST correct': {
        const fresh = memoryView({ content: (body as { content: string }).content, supersedes: id })
        put({ status: 'superseded', supersededBy: fresh.id })
        fake.memories.push(fresh)
        return { memory: fresh, raised: false, ledger }
      }
      case 'POST accept':
        return put({ status: 'active', label: null })
      default:
        return put({ status: 'rejected' })
    }
  }

  function forget({ ids, dryRun }: ForgetMemories): unknown {
    if (!dryRun) fake.memories = fake.memories.filter(({ id }) => !ids.includes(id))
    return { memories: ids.length, earlier: 0, traces: fake.traces, dryRun, ledger: dryRun ? 0 : ledger }
  }

  function stats(): unknown {
    const count = (fitting: (memory: MemoryView) => boolean) => fake.memories.filter(fitting).length
    const by = (status: string) => count((memory) => memory.status === status)
    const of = (type: string) => count((memory) => memory.status === 'active' && memory.type === type)
    return {
      total: fake.memories.length,
      status: { active: by('active'), suggested: by('suggested'), superseded: 0, rejected: by('rejected') },
      type: { fact: of('fact'), preference: of('preference'), event: of('event'), skill: of('skill') },
      pinned: 0,
      unused: by('active'),
      newestAt: at,
      oldestAt: at,
    }
  }

  function never({ method, body }: SeenRequest, id: string): unknown {
    if (method === 'GET') return fake.never
    if (method === 'DELETE') {
      fake.never = fake.never.filter((each) => each.id !== id)
      return { ok: true, ledger }
    }
    const { words } = body as { words: string }
    const entry = { id: `never_${fake.never.length + 1}`, words, createdAt: at }
    fake.never.push(entry)
    const matching = fake.memories.filter(({ content }) => holdsWords(content, words)).map((each) => each.id)
    return { never: entry, matching, ledger }
  }

  return fake
}

function fits(content: string, words: string): boolean {
  return words.split(' ').every((word) => content.toLowerCase().includes(word.toLowerCase()))
}

function newId(): string {
  return `mem_${crypto.randomUUID().replaceAll('-', '')}`
}
