import type { EmbeddingPort } from '@countersign/agent'
import { describe, expect, it } from 'vitest'
import { embedQuery, longestEmbedded } from './query-vector.ts'
import { freeMeter, lookupEmbeddings } from './testing/made-vectors.ts'

const never = new AbortController().signal

describe('the vector of a query', () => {
  it('is what the model says', async () => {
    const embeddings = lookupEmbeddings(new Map())
    expect(await embedQuery(embeddings, 'words', freeMeter, never)).toMatchObject({ model: 'test/one' })
    await embedQuery(embeddings, 'x'.repeat(longestEmbedded * 2), freeMeter, never)
    expect(embeddings.asked.at(-1)?.[0]).toHaveLength(longestEmbedded)
  })

  it('is none when there is no model, when it failed, and when time is up', async () => {
    const answering = (answer: Awaited<ReturnType<EmbeddingPort['embed']>>): EmbeddingPort => ({
      embed: () => Promise.resolve(answer),
    })
    const none = { kind: 'unavailable', reason: 'not installed' } as const
    expect(await embedQuery(answering(none), 'words', freeMeter, never)).toBeNull()
    const failure = { kind: 'timeout', message: 'late' } as never
    expect(await embedQuery(answering({ kind: 'failed', failure }), 'words', freeMeter, never)).toBeNull()
    const deaf: EmbeddingPort = { embed: () => new Promise(() => undefined) }
    expect(await embedQuery(deaf, 'words', freeMeter, AbortSignal.timeout(10))).toBeNull()
    expect(await embedQuery(deaf, 'words', freeMeter, AbortSignal.abort())).toBeNull()
  })
})
