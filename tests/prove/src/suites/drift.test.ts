import { describe, expect, it } from 'vitest'
import { drift } from './drift.ts'

const run = (mutant?: string) =>
  drift.run({ n: 13, seed: 5, log: () => undefined, ...(mutant ? { mutant } : {}) })

describe('a world that changed after the approval', () => {
  it('stops every call, and an unchanged one none', async () => {
    const { failures, details } = await run()
    expect(details?.['examples']).toEqual([])
    expect(failures).toBe(0)
  })

  for (const mutant of drift.mutants) {
    it(`does not stop a verifier that does ${mutant}, and the suite says so`, async () => {
      expect((await run(mutant)).failures).toBeGreaterThan(0)
    })
  }
})
