import { describe, expect, it } from 'vitest'
import { readRecordings } from './recordings.ts'
import { readBytes } from './reference.ts'

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
