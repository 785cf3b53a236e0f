/** The bare library in a process of its own, as its manual shows it. */
import { basename, dirname, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { memoryTexts } from '../memory-texts.ts'
import { answerParent } from '../side-process.ts'

export interface EmbeddingsQuestion {
  readonly library: string
  readonly model: string
  readonly texts: number
  /** How many texts are given to the library at once. */
  readonly batch: number
  /** The engine's threads; null leaves the choice to the library. */
  readonly threads: number | null
}

/** Milliseconds. */
export type EmbeddingsAnswer = number

interface Library {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>
}

type Extractor = (
  texts: readonly string[],
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<{ readonly data: Float32Array }>

const extractors = new Map<number | null, Promise<Extractor>>()

answerParent<EmbeddingsQuestion, EmbeddingsAnswer>(async (question) => {
  const loading = extractors.get(question.threads) ?? load(question)
  extractors.set(question.threads, loading)
  const extract = await loading
  const texts = memoryTexts(question.texts)
  const vectors: Float32Array[] = []
  const began = performance.now()
  for (let at = 0; at < texts.length; at += question.batch) {
    const { data } = await extract(texts.slice(at, at + question.batch), { pooling: 'mean', normalize: true })
    vectors.push(data)
  }
  return performance.now() - began
})

async function load({ library, model, threads }: EmbeddingsQuestion): Promise<Extractor> {
  const { env, pipeline } = (await import(pathToFileURL(library).href)) as Library
  env.allowRemoteModels = false
  env.localModelPath = dirname(model) + sep
  return pipeline('feature-extraction', basename(model), {
    dtype: 'q8',
    device: 'cpu',
    ...(threads === null ? {} : { session_options: { intraOpNumThreads: threads } }),
  })
}
