import { describe, expect, it } from 'vitest'
import { customTools } from './custom-tools.ts'

const run = (n: number, mutant?: string) =>
  customTools.run({ n, seed: 7, log: () => undefined, ...(mutant ? { mutant } : {}) })

describe('the program of a custom tool', () => {
  it('stays where it is', async () => {
    const { failures, details } = await run(35)
    expect(details?.['examples']).toEqual([])
    expect(failures).toBe(0)
  })

  for (const mutant of customTools.mutants) {
    it(`does not stay there with ${mutant}, and the suite says so`, async () => {
      expect((await run(14, mutant)).failures).toBeGreaterThan(0)
    })
  }
})
