/** Owns what the optional part for local embeddings consists of and where it lies. Refuses a folder that is not whole, or that was made for another version of the list. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from '../parts/install-whole.ts'
import lock from './part-lock.json' with { type: 'json' }

export const localProvider = 'local-embeddings'
export const localModel = 'all-MiniLM-L6-v2'
export const localDimensions = 384
const installCommand: string = `countersign provider add ${localProvider}`

/** Every package by version and content, so that a later publication changes nothing. */
export const partLock: string = JSON.stringify(lock)

/** The library asks for a second engine, for browsers, that it never loads here; a small package stands in for it. */
export const partManifest: string = JSON.stringify({
  ...lock.packages[''],
  private: true,
  overrides: { 'onnxruntime-web': 'npm:onnxruntime-common@1.30.0' },
})

export const partVersion: string = lock.packages[''].dependencies['@huggingface/transformers']

/** What is left after the installation; what is fetched on the way there is more. */
export const partSizes = {
  /** Fetched, compressed. */
  runtimeDownload: 124_000_000,
  modelDownload: 16_762_017,
  /** On disk, before what is for other platforms is taken away. */
  runtimeUnpacked: 336_000_000,
} as const

export interface WeightFile {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

export const weightFiles: readonly WeightFile[] = [
  {
    path: 'config.json',
    sha256: '9607ae6204a90040db3be3bea5d549a42f87b4a12c3638b41249b6c2a394a05a',
    bytes: 642,
  },
  {
    path: 'tokenizer_config.json',
    sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
    bytes: 366,
  },
  {
    path: 'tokenizer.json',
    sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
    bytes: 711_582,
  },
  {
    path: 'onnx/model_quantized.onnx',
    sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    bytes: 22_972_370,
  },
]

export type FoundPart =
  | ({ readonly kind: 'installed' } & Part)
  | { readonly kind: 'absent'; readonly reason: string }

/** Where the model lies within the part. */
export function modelFolder(folder: string): string {
  return join(folder, 'models', localModel)
}

export function libraryFile(folder: string): string {
  return join(folder, 'node_modules/@huggingface/transformers/dist/transformers.node.mjs')
}

/** The native engine that the package carries for one platform. */
export function engineFolder(folder: string, platform: string, architecture: string): string {
  return join(enginesFolder(folder), platform, architecture)
}

export function enginesFolder(folder: string): string {
  return join(folder, 'node_modules/onnxruntime-node/bin/napi-v6')
}

export function findPart(folder: string): FoundPart {
  let seal: unknown
  try {
    seal = JSON.parse(readFileSync(sealFile(folder), 'utf8'))
  } catch {
    return { kind: 'absent', reason: `Local embeddings are not installed. Install them: ${installCommand}` }
  }
  const { version, bytes, list } = seal as Partial<Seal>
  if (list !== listDigest() || typeof version !== 'string' || typeof bytes !== 'number') {
    return {
      kind: 'absent',
      reason: `Local embeddings were installed for another version. Install them again: ${installCommand}`,
    }
  }
  if (!existsSync(libraryFile(folder))) {
    return {
      kind: 'absent',
      reason: `Local embeddings are damaged: files are missing in ${folder}. Install them again: ${installCommand}`,
    }
  }
  return { kind: 'installed', version, bytes }
}

/** Written last: a folder without it is not a part. */
export function sealOf(bytes: number): string {
  return JSON.stringify({ version: partVersion, bytes, list: listDigest() } satisfies Seal)
}

export function sealFile(folder: string): string {
  return join(folder, 'part.json')
}

interface Seal extends Part {
  readonly list: string
}

function listDigest(): string {
  return createHash('sha256').update(partLock).update(JSON.stringify(weightFiles)).digest('hex')
}
