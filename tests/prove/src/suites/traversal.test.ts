import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../packages/executor/src/testing/random.ts'
import { openBench } from './traversal/bench.ts'
import { createPaths } from './traversal/paths.ts'
import { tryRaces } from './traversal/races.ts'

describe('the paths', () => {
  const places = { workspace: '/a/b/workspace', outside: ['/a/outside'], covered: 'c', landing: 'lands' }

  it('are all different and the same for the same seed', () => {
    const paths = createPaths(3_000, places, createRandom(1))
    expect(new Set(paths).size).toBe(3_000)
    expect(createPaths(3_000, places, createRandom(1))).toEqual(paths)
    expect(createPaths(3_000, places, createRandom(2))).not.toEqual(paths)
  })
})

describe('a path that is given to a file tool', { timeout: 60_000 }, () => {
  it('leads nowhere else while another process turns it, and the naive program is led out', async () => {
    const bench = await openBench()
    const { wrong, n } = await tryRaces(bench, { seconds: 0.3, seed: 5, log: () => undefined })
    await bench.close()
    expect(wrong).toEqual([])
    expect(n).toBeGreaterThan(0)
  })
})
