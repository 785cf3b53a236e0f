/** Owns the vector of a query. Nobody waits for it longer than they said: without one, words answer alone. */
import type { EmbeddingPort, Meter } from '@countersign/agent'

export interface QueryVector {
  readonly vector: Float32Array
  readonly model: string
}

/** As much of a text as is embedded; models read no more than a page or two. */
export const longestEmbedded = 8_000

/** Null when there is no model, it failed, or time was up. */
export async function embedQuery(
  embeddings: EmbeddingPort,
  text: string,
  meter: Meter,
  end: AbortSignal,
): Promise<QueryVector | null> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<null>()
  const onStop = () => stop(null)
  end.addEventListener('abort', onStop, { once: true })
  try {
    if (end.aborted) return null
    const answer = await Promise.race([
      embeddings.embed([text.slice(0, longestEmbedded)], end, meter),
      stopped,
    ])
    const vector = answer?.kind === 'embedded' ? answer.vectors[0] : undefined
    return answer?.kind === 'embedded' && vector ? { vector, model: answer.model } : null
  } finally {
    end.removeEventListener('abort', onStop)
  }
}
