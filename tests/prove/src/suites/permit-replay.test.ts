import { describe, expect, it } from 'vitest'
import { permitReplay } from './permit-replay.ts'

const run = (n: number, mutant?: string) =>
  permitReplay.run({ n, seed: 3, log: () => undefined, ...(mutant ? { mutant } : {}) })

describe('a permit used two hundred times at once', () => {
  it('has one effect, and every use gets the answer of the first', async () => {
    const { failures, details } = await run(5)
    expect(details?.['examples']).toEqual([])
    expect(failures).toBe(0)
  })

  for (const mutant of permitReplay.mutants) {
    it(`has more with ${mutant}, and the suite says so`, async () => {
      expect((await run(1, mutant)).failures).toBeGreaterThan(0)
    })
  }
})
