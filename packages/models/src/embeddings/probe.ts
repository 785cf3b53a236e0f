/** Asks a freshly installed part for one vector, in a process of its own: a native engine that does not fit the machine ends only that. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { libraryFile, localDimensions, modelFolder } from './part.ts'
import { programEndText } from './program-end.ts'

export type ProbeResult = { readonly kind: 'works' } | { readonly kind: 'failed'; readonly message: string }

const timeoutMs = 60_000

/** Never rejects. */
export function probePart(folder: string, node: string, signal: AbortSignal): Promise<ProbeResult> {
  const model = modelFolder(folder)
  const dtype = existsSync(join(model, 'onnx', 'model_quantized.onnx')) ? 'q8' : 'fp32'
  const program = `
    const { env, pipeline } = await import(${JSON.stringify(pathToFileURL(libraryFile(folder)).href)})
    env.allowRemoteModels = false
    env.localModelPath = ${JSON.stringify(dirname(model) + sep)}
    const embed = await pipeline('feature-extraction', ${JSON.stringify(basename(model))}, { dtype: ${JSON.stringify(dtype)}, device: 'cpu' })
    const { data } = await embed('It works.', { pooling: 'mean', normalize: true })
    process.stdout.write(String(data.length))`
  return new Promise((resolve) => {
    const args = ['--input-type=module', '--eval', program]
    execFile(node, args, { signal, timeout: timeoutMs, env: {} }, (error, stdout, stderr) => {
      if (signal.aborted) resolve(failed('Cancelled.'))
      else if (error) {
        const words = programEndText({ code: error.code, signal: error.signal, written: stderr })
        resolve(failed(`The installed model does not run here: it ${words}`))
      } else if (stdout !== String(localDimensions))
        resolve(failed('The installed model gave an unexpected answer.'))
      else resolve({ kind: 'works' })
    })
  })
}

function failed(message: string): ProbeResult {
  return { kind: 'failed', message }
}
