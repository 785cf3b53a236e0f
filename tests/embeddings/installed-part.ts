/** The part as its own installer makes it, once for a machine. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { installPart } from '../../packages/models/src/embeddings/install.ts'

export const partFolder: string = join(homedir(), '.cache', 'countersign-test', 'parts', 'local-embeddings')

export async function installedPart(): Promise<string> {
  const installed = await installPart({
    folder: partFolder,
    environment: Object.fromEntries(Object.entries(process.env).map(([name, value = '']) => [name, value])),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  if (installed.kind === 'failed') throw new Error(installed.message)
  return partFolder
}
