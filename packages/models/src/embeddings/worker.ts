/**
 * The thread that embeds. It takes one text at a time: the weights are quantised, and the engine scales a batch as a
 * whole, so that a text in a batch would get another vector beside other texts. One text on one core is also as fast
 * as a padded batch on two.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { busyFlag, type FromThread, stopFlag, type ThreadData, type ToThread } from './message.ts'

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

interface Extractor {
  (
    text: string,
    options: { readonly pooling: 'mean'; readonly normalize: true },
  ): Promise<{ readonly data: Float32Array }>
  dispose(): Promise<unknown>
}

const port = parentPort
if (!port) throw new Error('This is a thread of the gateway.')
const { library, model, flags } = workerData as ThreadData
const shared = new Int32Array(flags)
const send = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

const extractor = await whileBusy(load)
send({ kind: 'ready' })
const dropped = new Set<number>()
let isEnding = false
let last: Promise<void> = Promise.resolve()
port.on('message', (message: ToThread) => {
  if (message.kind === 'drop') dropped.add(message.id)
  else if (message.kind === 'embed') last = last.then(() => embed(message.id, message.texts))
  else {
    isEnding = true
    last = last.then(end)
  }
})

async function load(): Promise<Extractor> {
  const { env, pipeline } = (await import(pathToFileURL(library).href)) as Library
  env.allowRemoteModels = false
  env.useFSCache = false
  env.useBrowserCache = false
  env.localModelPath = dirname(model) + sep
  const isQuantised = existsSync(join(model, 'onnx', 'model_quantized.onnx'))
  return pipeline('feature-extraction', basename(model), {
    dtype: isQuantised ? 'q8' : 'fp32',
    device: 'cpu',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 },
  })
}

async function embed(id: number, texts: readonly string[]): Promise<void> {
  try {
    const vectors: Float32Array[] = []
    for (const text of texts) {
      // The engine gives way between texts, so this may have come in the meantime.
      if (isEnding || dropped.delete(id)) return
      const { data } = await whileBusy(() => extractor(text, { pooling: 'mean', normalize: true }))
      vectors.push(data)
    }
    const joined = new Float32Array(vectors.reduce((sum, vector) => sum + vector.length, 0))
    let at = 0
    for (const vector of vectors) {
      joined.set(vector, at)
      at += vector.length
    }
    send({ kind: 'embedded', id, vectors: joined }, [joined.buffer])
  } catch (error) {
    send({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
}

async function end(): Promise<void> {
  await extractor.dispose()
  port?.close()
}

/** The engine aborts the whole process when its thread is ended inside a call, so whoever ends it must see the flag. */
async function whileBusy<Value>(work: () => Promise<Value>): Promise<Value> {
  Atomics.store(shared, busyFlag, 1)
  try {
    // The process is about to exit and waits for nothing but the flag.
    if (Atomics.load(shared, stopFlag) === 1) throw new Error('The process is ending.')
    return await work()
  } finally {
    Atomics.store(shared, busyFlag, 0)
    Atomics.notify(shared, busyFlag)
  }
}
