import { describe, expect, it } from 'vitest'
import { suites } from './index.ts'

const seed = 11

for (const entry of suites) {
  const suite = await entry.load()
  describe(`the suite ${entry.name}`, () => {
    it('is named as it is found', () => {
      expect(suite.name).toBe(entry.name)
    })

    // `pnpm prove --meta` tries them all, also those that take long.
    for (const mutant of entry.slow ? [] : suite.mutants.slice(0, 3)) {
      it(`catches ${mutant}`, { timeout: 60_000 }, async () => {
        const { failures } = await suite.run({ n: entry.mutantSize, seed, mutant, log: () => undefined })
        expect(failures).toBeGreaterThan(0)
      })
    }
  })
}
