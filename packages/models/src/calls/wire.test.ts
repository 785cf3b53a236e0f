import { describe, expect, it } from 'vitest'
import { usageIn } from './wire.ts'

describe('what an event says of usage', () => {
  const begins = (usage: Record<string, number>) => ({ type: 'message_start', message: { usage } })

  it('adds up what was read, what was cached and what was written to the cache', () => {
    const usage = {
      input_tokens: 1,
      cache_read_input_tokens: 2,
      cache_creation_input_tokens: 4,
      output_tokens: 8,
    }
    expect(usageIn(begins(usage))).toEqual({ input: 7, cached: 2, written: 4, output: 8 })
  })

  it('is never more than a thousand million of a kind, in a sum as well', () => {
    const most = 1_000_000_000
    const usage = { input_tokens: most, cache_read_input_tokens: most, cache_creation_input_tokens: most }
    expect(usageIn(begins(usage))).toMatchObject({ input: most, cached: most })
    const google = { promptTokenCount: 2 * most, candidatesTokenCount: most, thoughtsTokenCount: most }
    expect(usageIn({ usageMetadata: google })).toMatchObject({ input: most, output: most, reasoning: most })
    expect(usageIn({ usageMetadata: { promptTokenCount: most - 1 } })).toMatchObject({ input: most - 1 })
  })
})
