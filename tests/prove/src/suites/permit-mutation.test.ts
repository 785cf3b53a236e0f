import { describe, expect, it } from 'vitest'
import { permitMutation } from './permit-mutation.ts'

const run = (n: number, mutant?: string) =>
  permitMutation.run({ n, seed: 7, log: () => undefined, ...(mutant ? { mutant } : {}) })

describe('changed permits', () => {
  it('are all refused, and honest ones accepted', async () => {
    const { failures, details } = await run(3000)
    expect(details?.['examples']).toEqual([])
    expect(failures).toBe(0)
  })

  for (const mutant of permitMutation.mutants) {
    it(`are accepted by a verifier that does ${mutant}, and the suite says so`, async () => {
      expect((await run(4000, mutant)).failures).toBeGreaterThan(0)
    })
  }
})
