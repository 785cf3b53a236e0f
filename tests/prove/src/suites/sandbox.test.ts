import { describe, expect, it } from 'vitest'
import { attempts } from './sandbox/all.ts'
import { sandbox } from './sandbox.ts'

const run = (n: number, mutant?: string) =>
  sandbox.run({ n, seed: 5, log: () => undefined, ...(mutant ? { mutant } : {}) })

describe('an attempt to get out of the sandbox', () => {
  it('is one of many, and each has a name of its own', () => {
    expect(attempts.length).toBeGreaterThanOrEqual(150)
    expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length)
  })

  it('fails, and without a primitive there is no sandbox', { timeout: 180_000 }, async () => {
    const { failures, details } = await run(attempts.length)
    expect(details?.['examples']).toEqual([])
    expect(failures).toBe(0)
  })

  for (const mutant of sandbox.mutants) {
    it(`succeeds in a sandbox with ${mutant}, and the suite says so`, async () => {
      expect((await run(attempts.length, mutant)).failures).toBeGreaterThan(0)
    })
  }
})
