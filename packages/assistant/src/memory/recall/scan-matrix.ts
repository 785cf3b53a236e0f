/** Owns the vectors of one operator and one model in memory, and finds the nearest by looking at every one of them. */
import type { MemoryFilter, NearMemory } from './vector-index.ts'

export interface HeldMemory {
  readonly id: string
  readonly status: string
  readonly type: string
  readonly goal: string | null
  readonly tags: readonly string[]
}

export interface ScanMatrix {
  readonly size: number
  /** The vectors lie one after the other, in the order of the memories. One that is known is replaced. */
  put(memories: readonly HeldMemory[], vectors: Float32Array): void
  remove(id: string): void
  search(vector: Float32Array, limit: number, filter: MemoryFilter): NearMemory[]
}

export function createScanMatrix(dimensions: number): ScanMatrix {
  let values = new Float32Array(0)
  let facts = new Int32Array(0)
  const ids: string[] = []
  const tags: (readonly string[])[] = []
  const rows = new Map<string, number>()
  const codes = new Map<string | null, number>([[null, 0]])

  function codeOf(word: string | null): number {
    const known = codes.get(word)
    if (known !== undefined) return known
    codes.set(word, codes.size)
    return codes.size - 1
  }

  function makeRoom(count: number): void {
    if (count * dimensions <= values.length) return
    const room = Math.max(count, Math.ceil((values.length / dimensions) * 1.5), 64)
    values = grown(values, new Float32Array(room * dimensions))
    facts = grown(facts, new Int32Array(room * factsEach))
  }

  function put(memories: readonly HeldMemory[], vectors: Float32Array): void {
    makeRoom(ids.length + memories.length)
    for (const [place, memory] of memories.entries()) {
      const row = rows.get(memory.id) ?? ids.length
      rows.set(memory.id, row)
      ids[row] = memory.id
      tags[row] = memory.tags
      facts.set([codeOf(memory.status), codeOf(memory.type), codeOf(memory.goal)], row * factsEach)
      values.set(vectors.subarray(place * dimensions, (place + 1) * dimensions), row * dimensions)
    }
  }

  /** The last row moves to the empty place, and nothing of the removed vector stays. */
  function remove(id: string): void {
    const row = rows.get(id)
    if (row === undefined) return
    const last = ids.length - 1
    const moved = ids[last] ?? id
    values.copyWithin(row * dimensions, last * dimensions, (last + 1) * dimensions)
    values.fill(0, last * dimensions, (last + 1) * dimensions)
    facts.copyWithin(row * factsEach, last * factsEach, (last + 1) * factsEach)
    tags[row] = tags[last] ?? []
    ids[row] = moved
    rows.set(moved, row)
    rows.delete(id)
    ids.pop()
    tags.pop()
  }

  function search(vector: Float32Array, limit: number, filter: MemoryFilter): NearMemory[] {
    if (vector.length !== dimensions || limit <= 0) return []
    const status = codes.get(filter.status ?? 'active') ?? nobody
    const type = filter.type === undefined ? anybody : (codes.get(filter.type) ?? nobody)
    const goal = filter.goal === undefined ? anybody : (codes.get(filter.goal) ?? 0)
    const wanted = filter.tags ?? []
    const best = createBest(limit)
    for (let row = 0; row < ids.length; row += 1) {
      const fact = row * factsEach
      if (facts[fact] !== status) continue
      if (type !== anybody && facts[fact + 1] !== type) continue
      if (goal !== anybody && facts[fact + 2] !== goal && facts[fact + 2] !== 0) continue
      if (wanted.length > 0 && !wanted.every((tag) => tags[row]?.includes(tag))) continue
      best.offer(row, dot(values, row * dimensions, vector))
    }
    return best.sorted().map(({ row, likeness }) => ({ memory: ids[row] ?? '', likeness }))
  }

  return {
    get size() {
      return ids.length
    },
    put,
    remove,
    search,
  }
}

const factsEach = 3
const anybody = -1
const nobody = -2

/** Four sums at once, so that one addition does not wait for the one before. */
function dot(values: Float32Array, start: number, vector: Float32Array): number {
  const { length } = vector
  const whole = length - (length % 4)
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let place = 0; place < whole; place += 4) {
    const at = start + place
    first += (values[at] as number) * (vector[place] as number)
    second += (values[at + 1] as number) * (vector[place + 1] as number)
    third += (values[at + 2] as number) * (vector[place + 2] as number)
    fourth += (values[at + 3] as number) * (vector[place + 3] as number)
  }
  for (let place = whole; place < length; place += 1)
    first += (values[start + place] as number) * (vector[place] as number)
  return first + second + (third + fourth)
}

interface ScoredMemory {
  readonly row: number
  readonly likeness: number
}

/** The best so far, kept in order: nearly all of what is offered is worse than the worst of them. */
function createBest(limit: number): { offer(row: number, likeness: number): void; sorted(): ScoredMemory[] } {
  const kept: ScoredMemory[] = []
  let worst = Number.NEGATIVE_INFINITY
  return {
    offer(row, likeness) {
      if (kept.length === limit && likeness <= worst) return
      let place = kept.length
      while (place > 0 && (kept[place - 1]?.likeness ?? 0) < likeness) place -= 1
      kept.splice(place, 0, { row, likeness })
      if (kept.length > limit) kept.pop()
      worst = kept.at(-1)?.likeness ?? worst
    },
    sorted: () => kept,
  }
}

function grown<Numbers extends Float32Array | Int32Array>(from: Numbers, into: Numbers): Numbers {
  into.set(from)
  return into
}
