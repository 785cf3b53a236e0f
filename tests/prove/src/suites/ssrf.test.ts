import { describe, expect, it } from 'vitest'
import { ssrf } from './ssrf.ts'

const run = (n: number, mutant?: string) =>
  ssrf.run({ n, seed: 5, log: () => undefined, ...(mutant ? { mutant } : {}) })

describe('the way out to the network', () => {
  it('leads to no place of this machine, and to every place that is allowed', async () => {
    const { failures, details } = await run(400)
    expect(details?.['examples']).toEqual([])
    expect(failures).toBe(0)
  })

  for (const mutant of ssrf.mutants) {
    it(`is left open by ${mutant}, and the suite says so`, async () => {
      expect((await run(120, mutant)).failures).toBeGreaterThan(0)
    })
  }
})
