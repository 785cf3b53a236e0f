/** Owns where the part for speech on this machine lies. Refuses a folder in which a file of it is missing or changed. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { localSpeechProvider } from '../local-speech.ts'
import { type SpeechPartProblem, speechEngine, speechWeights, speechWords } from '../speech-files.ts'

export function speechPartFolder({ data }: { readonly data: string }): string {
  return join(data, 'parts', localSpeechProvider)
}

/** Nothing where the part in a folder is whole. */
export async function speechPartProblem(folder: string): Promise<SpeechPartProblem | undefined> {
  const engine = speechEngine(process.platform, process.arch)
  if (engine === undefined)
    return {
      what: `There is no engine for recognizing speech on ${process.platform} ${process.arch}.`,
      next: 'Choose a provider: `countersign model use <provider/model> --for transcription`.',
    }
  const files = [speechWords, ...[...engine, speechWeights].flatMap((each) => Object.values(each.files))]
  for (const { path, sha256 } of files) {
    const found = await sha256OfFile(join(folder, path))
    if (found === sha256) continue
    const place = join(folder, path)
    const what =
      found === undefined
        ? `Speech on this machine is not installed: there is no ${place}.`
        : `Speech on this machine is not used: ${place} is not the known file.`
    return { what, next: `Install it: \`countersign provider add ${localSpeechProvider}\`.` }
  }
  return undefined
}

async function sha256OfFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}
