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
  const answer = await unlessStopped(end, () =>
    embeddings.embed([text.slice(0, longestEmbedded)], end, meter),
  )
  const vector = answer?.kind === 'embedded' ? answer.vectors[0] : undefined
  return answer?.kind === 'embedded' && vector ? { vector, model: answer.model } : null
}

/** Null when it is stopped first: a model of this machine may not hear the signal. */
export async function unlessStopped<Result>(
  end: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<null>()
  const onStop = () => stop(null)
  end.addEventListener('abort', onStop, { once: true })
  try {
    return end.aborted ? null : await Promise.race([work(), stopped])
  } finally {
    end.removeEventListener('abort', onStop)
  }
}
