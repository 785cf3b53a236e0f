/** Embeddings on this machine, for nothing. Refuses to fetch anything: the part is installed beforehand, or there are none. */
import type { EmbeddingPort, EmbeddingResult, Meter } from '@countersign/agent'
import { meteredCall, noUsage } from './metered-embedding.ts'
import { findPart, libraryFile, localDimensions, localModel, localProvider, modelFolder } from './part.ts'
import { createEmbeddingQueue } from './queue.ts'
import { startWorker } from './worker-process.ts'

export interface LocalEmbeddingsOptions {
  /** Where the part was installed. */
  readonly folder: string
  /** A folder with the model's files to take instead of those of the part. */
  readonly weights?: string
  /** After how long without work the process ends; five minutes where nothing is said. */
  readonly idleMs?: number
  /** How long it may work without an answer; a minute where nothing is said. */
  readonly patienceMs?: number
  /** How many texts may wait; more are refused. */
  readonly mostWaiting?: number
  readonly now?: () => number
  /** Another program for the process that embeds. */
  readonly worker?: URL
}

export interface LocalEmbeddings extends EmbeddingPort {
  close(): Promise<void>
}

export function createLocalEmbeddings(options: LocalEmbeddingsOptions): LocalEmbeddings {
  const { folder, weights, worker, now = () => performance.now() } = options
  const queue = createEmbeddingQueue({
    start: (handlers) =>
      startWorker({
        library: libraryFile(folder),
        model: weights ?? modelFolder(folder),
        ...handlers,
        ...(worker === undefined ? {} : { file: worker }),
      }),
    idleMs: options.idleMs ?? 5 * 60_000,
    patienceMs: options.patienceMs ?? 60_000,
    mostWaiting: options.mostWaiting ?? 100_000,
  })
  let isFound = false

  async function embed(
    texts: readonly string[],
    signal: AbortSignal,
    meter: Meter,
  ): Promise<EmbeddingResult> {
    if (!isFound) {
      const part = findPart(folder)
      if (part.kind === 'absent') return { kind: 'unavailable', reason: part.reason }
      isFound = true
    }
    if (texts.length === 0) return embeddedOf([])
    const planned = {
      provider: localProvider,
      model: localModel,
      purpose: 'embeddings',
      worstNanos: 0,
    } as const
    const answer = await meteredCall<readonly Float32Array[]>({ meter, planned, signal, now }, async () => {
      const worked = await queue.embed(texts, signal)
      return {
        answer: worked.kind === 'embedded' ? { kind: 'made', made: worked.vectors } : worked,
        usage: { ...noUsage, input: roughTokens(texts) },
        estimated: true,
        costNanos: 0,
      }
    })
    return answer.kind === 'failed' ? answer : embeddedOf(answer.made)
  }

  return { embed, close: () => queue.close() }
}

function embeddedOf(vectors: readonly Float32Array[]): EmbeddingResult {
  return {
    kind: 'embedded',
    vectors,
    model: `${localProvider}/${localModel}`,
    dimensions: vectors[0]?.length ?? localDimensions,
  }
}

/** About four characters make a token. Nobody pays for them, so a tokenizer would be loaded for nothing. */
function roughTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.max(1, Math.ceil(text.length / 4)), 0)
}
