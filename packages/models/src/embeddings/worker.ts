/**
 * The process that embeds. It gives the engine one text at a time: the weights are quantised, and the engine scales a
 * batch as a whole, so that a text in a batch would get another vector beside other texts. One text on one core is also
 * as fast as a padded batch on two.
 */
import { existsSync, writeSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serve } from './serve.ts'

/** As much of the library as is used. */
interface Library {
  readonly env: {
    allowRemoteModels: boolean
    useFSCache: boolean
    useBrowserCache: boolean
    localModelPath: string
  }
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>
}

type Extractor = (
  text: string,
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<{ readonly data: Float32Array }>

const [library = '', model = ''] = process.argv.slice(2)
const loading = load(library, model)
loading.catch((error: unknown) => {
  writeSync(2, error instanceof Error ? error.message : String(error))
  process.exit(1)
})
serve(async (text) => {
  const extract = await loading
  const { data } = await extract(text, { pooling: 'mean', normalize: true })
  return data
})

async function load(file: string, folder: string): Promise<Extractor> {
  const { env, pipeline } = (await import(pathToFileURL(file).href)) as Library
  env.allowRemoteModels = false
  env.useFSCache = false
  env.useBrowserCache = false
  env.localModelPath = dirname(folder) + sep
  const isQuantised = existsSync(join(folder, 'onnx', 'model_quantized.onnx'))
  return pipeline('feature-extraction', basename(folder), {
    dtype: isQuantised ? 'q8' : 'fp32',
    device: 'cpu',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 },
  })
}
