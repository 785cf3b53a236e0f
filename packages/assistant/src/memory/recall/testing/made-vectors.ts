/** Vectors for tests: unit length, the same for the same seed, and embeddings that give what a test says. */
import type { EmbeddingPort, EmbeddingResult, Meter } from '@countersign/agent'

export const freeMeter: Meter = {
  reserve: () => Promise.resolve({ kind: 'reserved', id: 'free' }),
  settle: () => Promise.resolve(),
}

export function unitVector(dimensions: number, seed: number): Float32Array {
  const vector = new Float32Array(dimensions)
  let state = (seed * 2_654_435_761 + 1) >>> 0
  for (let place = 0; place < dimensions; place += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    vector[place] = state / 2 ** 31 - 1
  }
  return scaled(vector)
}

/** Near the first, by this much of the second. */
export function between(one: Float32Array, other: Float32Array, share: number): Float32Array {
  return scaled(one.map((value, place) => value * (1 - share) + (other[place] ?? 0) * share))
}

/** Embeds a text by looking it up; what is not there gets a vector of its own. */
export function lookupEmbeddings(
  known: ReadonlyMap<string, Float32Array>,
  { model = 'test/one', dimensions = 8 }: { model?: string; dimensions?: number } = {},
): EmbeddingPort & { readonly asked: string[][] } {
  const asked: string[][] = []
  return {
    asked,
    embed(texts): Promise<EmbeddingResult> {
      asked.push([...texts])
      const vectors = texts.map((text) => known.get(text) ?? unitVector(dimensions, hashOf(text)))
      return Promise.resolve({ kind: 'embedded', vectors, model, dimensions })
    },
  }
}

function scaled(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function hashOf(text: string): number {
  return Buffer.from(text).reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7)
}
