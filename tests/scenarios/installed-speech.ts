/** The part for speech as its own installer makes it, once for a machine. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { speechPartProblem } from '../../packages/contract/src/node/index.ts'
import { installSpeech } from '../../packages/models/src/index.ts'

const folder = join(homedir(), '.cache', 'countersign-test', 'parts', 'local-speech')

export async function installedSpeech(): Promise<string> {
  const installed = await installSpeech({
    folder,
    check: speechPartProblem,
    environment: Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value])),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  if (installed.kind === 'failed') throw new Error(installed.message)
  return folder
}
