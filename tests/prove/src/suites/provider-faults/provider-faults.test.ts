import { describe, expect, it } from 'vitest'
import { providerFaults } from './provider-faults.ts'
import { readRecordings } from './recordings.ts'
import { readBytes } from './reference.ts'

const run = (n: number, mutant?: string) =>
  providerFaults.run({ n, seed: 5, log: () => undefined, ...(mutant ? { mutant } : {}) })

describe('the recordings', () => {
  it('are twenty small streams, and their second reading finds every call in them', () => {
    const recordings = readRecordings()
    expect(recordings).toHaveLength(20)
    for (const { kind, name, bytes, calls } of recordings) {
      expect([name, bytes.length < 4_000]).toEqual([name, true])
      const reading = readBytes(kind, bytes)
      expect([name, reading.ended, calls.every((call) => reading.holds(call.args))]).toEqual([
        name,
        true,
        true,
      ])
      expect(readBytes(kind, bytes.subarray(0, bytes.length / 2)).ended).toBe(false)
    }
  })
})

describe('a provider that fails', () => {
  it('never makes a call of its own', { timeout: 60_000 }, async () => {
    const { failures, details } = await run(600)
    expect(details?.['examples']).toEqual([])
    expect(failures).toBe(0)
  })

  for (const mutant of providerFaults.mutants) {
    it(`does so with ${mutant}, and the suite says so`, { timeout: 60_000 }, async () => {
      expect((await run(400, mutant)).failures).toBeGreaterThan(0)
    })
  }
})
