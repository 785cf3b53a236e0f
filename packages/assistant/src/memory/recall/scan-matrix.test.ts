import { describe, expect, it } from 'vitest'
import { createScanMatrix, type HeldMemory } from './scan-matrix.ts'
import { unitVector } from './testing/made-vectors.ts'
import { bytesOf, likenessOf, vectorOf } from './vector-index.ts'

const held = (id: string, rest: Partial<HeldMemory> = {}): HeldMemory => ({
  id,
  status: 'active',
  type: 'fact',
  goal: null,
  tags: [],
  ...rest,
})

describe('the matrix of vectors', () => {
  it('finds the same as comparing each with each, after many were put, replaced and removed', () => {
    for (const dimensions of [1, 3, 7, 384]) {
      const matrix = createScanMatrix(dimensions)
      const known = new Map<string, Float32Array>()
      for (let step = 0; step < 400; step += 1) {
        const id = `m${(step * 7) % 90}`
        if (step % 5 === 4) {
          matrix.remove(id)
          known.delete(id)
        } else {
          const vector = unitVector(dimensions, step)
          matrix.put([held(id)], vector)
          known.set(id, vector)
        }
      }
      expect(matrix.size).toBe(known.size)
      const asked = unitVector(dimensions, 9_999)
      const exact = [...known.values()].map((vector) => likenessOf(vector, asked)).toSorted((a, b) => b - a)
      const found = matrix.search(asked, 20, {})
      for (const [place, { memory, likeness }] of found.entries()) {
        expect(likeness).toBeCloseTo(exact[place] ?? 0, 5)
        expect(likeness).toBeCloseTo(likenessOf(known.get(memory) ?? new Float32Array(), asked), 5)
      }
      expect(found).toHaveLength(20)
    }
  })

  it('gives nothing for a vector of another length or an unknown filter', () => {
    const matrix = createScanMatrix(4)
    expect(matrix.search(unitVector(4, 1), 5, {})).toEqual([])
    matrix.put([held('a', { goal: 'goal_a' })], unitVector(4, 1))
    expect(matrix.search(unitVector(5, 1), 5, {})).toEqual([])
    expect(matrix.search(unitVector(4, 1), 5, { status: 'rejected' })).toEqual([])
    expect(matrix.search(unitVector(4, 1), 5, { goal: 'goal_b' })).toEqual([])
    expect(matrix.search(unitVector(4, 1), 5, { goal: 'goal_a' })).toHaveLength(1)
  })

  it('survives the removal of the only one and of one that is not there', () => {
    const matrix = createScanMatrix(2)
    matrix.put([held('a')], unitVector(2, 1))
    matrix.remove('b')
    matrix.remove('a')
    expect(matrix.size).toBe(0)
    matrix.put([held('b')], unitVector(2, 1))
    expect(matrix.search(unitVector(2, 1), 5, {})).toHaveLength(1)
  })
})

describe('a vector in the database', () => {
  it('comes back as it was, from wherever its bytes lie', () => {
    const vector = unitVector(16, 3)
    const pool = Buffer.alloc(200, 255)
    const bytes = bytesOf(vector)
    bytes.copy(pool, 13)
    expect(vectorOf(pool.subarray(13, 13 + bytes.length))).toEqual(vector)
  })
})
