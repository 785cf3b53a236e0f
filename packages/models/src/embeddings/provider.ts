/**
 * Embeddings of a provider through the AI SDK, batch by batch in the order of the texts, each batch one call that is
 * paid for by itself. Refuses an answer that has not one vector of one length for every text. No retries.
 */
import type { EmbeddingPort, EmbeddingResult, Meter } from '@countersign/agent'
import { countTokens, mostTokens } from '../catalogue/tokens.ts'
import type { ModelConfig } from '../providers/config.ts'
import type { EmbeddingModel } from './kit.ts'
import { noUsage } from './metered-embedding.ts'
import { type PricedAnswer, type ProviderAnswer, providerCall } from './provider-call.ts'
import { unitVector } from './unit-vector.ts'

export interface ProviderEmbeddingsOptions {
  readonly config: ModelConfig
  /** What so many tokens cost, in billionths of a dollar. */
  readonly price: (tokens: number) => number
  readonly now?: () => number
}

/** The most that one call carries. Some providers limit the tokens of a call and no one needs more. */
const mostBatchBytes = 200_000
const mostBatchTexts = 256
const mostAnswerBytes = 100_000_000
/** What each kind takes at once, where it takes less. */
const mostTexts: Partial<Readonly<Record<ModelConfig['kind'], number>>> = {
  google: 100,
  cohere: 96,
  mistral: 32,
}

export function createProviderEmbeddings(options: ProviderEmbeddingsOptions): EmbeddingPort {
  const { config, price, now = () => performance.now() } = options

  function embedBatch(
    texts: readonly string[],
    signal: AbortSignal,
    meter: Meter,
  ): Promise<ProviderAnswer<Float32Array[]>> {
    const call = {
      config,
      purpose: 'embeddings' as const,
      worstNanos: price(mostTokensOf(texts)),
      signal,
      meter,
      now,
      mostBytes: mostAnswerBytes,
      wanted: 'embeddings',
      model: (kit: { readonly embedding?: (model: string) => EmbeddingModel }) => kit.embedding,
    }
    return providerCall(call, async (model, abortSignal): Promise<PricedAnswer<Float32Array[]>> => {
      const { embeddings, usage, response } = await model.doEmbed({ values: [...texts], abortSignal })
      const vectors = inOrder(embeddings, response?.body).map(unitVector)
      const size = vectors[0]?.length ?? 0
      const isWhole = vectors.length === texts.length && vectors.every((vector) => vector.length === size)
      if (!isWhole || size === 0 || vectors.some((vector) => Number.isNaN(vector[0]))) {
        const message = 'The model provider did not send one whole vector for every text.'
        return { kind: 'refused', failure: { kind: 'unknown', message } }
      }
      const tokens = usage?.tokens ?? (await countedTokens(texts))
      return {
        kind: 'made',
        made: vectors,
        usage: { ...noUsage, input: tokens },
        estimated: usage === undefined,
        costNanos: price(tokens),
      }
    })
  }

  return {
    async embed(texts, signal, meter): Promise<EmbeddingResult> {
      const vectors: Float32Array[] = []
      for (const batch of batchesOf(texts, mostTexts[config.kind] ?? mostBatchTexts)) {
        const answer = await embedBatch(batch, signal, meter)
        if (answer.kind !== 'made') return answer
        for (const vector of answer.made) vectors.push(vector)
      }
      const dimensions = vectors[0]?.length ?? 0
      if (vectors.some((vector) => vector.length !== dimensions)) {
        const message = 'The model provider sent vectors of different lengths for one request.'
        return { kind: 'failed', failure: { kind: 'unknown', message } }
      }
      return { kind: 'embedded', vectors, model: `${config.name}/${config.model}`, dimensions }
    },
  }
}

/** A model puts a mark at both ends of a text. */
function mostTokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + mostTokens(text) + 2, 0)
}

async function countedTokens(texts: readonly string[]): Promise<number> {
  let tokens = 0
  for (const text of texts) tokens += Math.max(1, await countTokens(text))
  return tokens
}

function batchesOf(texts: readonly string[], most: number): string[][] {
  const batches: string[][] = []
  let room = 0
  for (const text of texts) {
    const bytes = Buffer.byteLength(text)
    const last = batches.at(-1)
    if (last === undefined || last.length >= most || bytes > room) {
      batches.push([text])
      room = mostBatchBytes - bytes
    } else {
      last.push(text)
      room -= bytes
    }
  }
  return batches
}

/** OpenAI's wire numbers the vectors, and a server may send them as they get ready. */
function inOrder(embeddings: readonly number[][], body: unknown): readonly number[][] {
  const { data } = (body ?? {}) as { readonly data?: unknown }
  if (!Array.isArray(data) || data.length !== embeddings.length) return embeddings
  const places = data.map((item: { readonly index?: unknown } | null) => item?.index)
  const isPermutation =
    new Set(places).size === places.length &&
    places.every((place) => Number.isInteger(place) && Number(place) >= 0 && Number(place) < places.length)
  if (!isPermutation) return embeddings
  const ordered: number[][] = []
  for (const [index, vector] of embeddings.entries()) ordered[Number(places[index])] = vector
  return ordered
}
