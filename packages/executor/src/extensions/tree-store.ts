/**
 * Owns the files of extensions, in a folder for each tree that is named by its hash. What is kept is what was hashed: a
 * tree is copied in beside, compared, and moved to its name; what is read is compared again.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { TreeFile } from '@countersign/contract'
import {
  readTree,
  readTreeFile,
  sha256Hex,
  type TreeLimits,
  type TreeRefusal,
  treeHash,
  treeLimits,
  treeProblem,
} from '@countersign/contract/node'
import { z } from 'zod'
import { removeFolder } from '../sealed/sealing-folder.ts'

export interface GivenFile {
  readonly path: string
  readonly executable: boolean
  readonly bytes: Uint8Array
}

export type KeptTree = {
  readonly kind: 'kept'
  readonly sha256: string
  readonly files: readonly TreeFile[]
}

export interface TreeStore {
  /** Copies a folder of the host in. Refused when its hash is another one than the expected. */
  keepFolder(folder: string, expected: string): Promise<KeptTree | TreeRefusal>
  keepFiles(files: readonly GivenFile[], expected: string): Promise<KeptTree | TreeRefusal>
  files(sha256: string): Promise<readonly TreeFile[] | undefined>
  /** One file, compared with its hash. */
  read(sha256: string, path: string): Promise<Uint8Array | TreeRefusal>
  /** The folder itself, after every file of it was compared. */
  folder(sha256: string): Promise<{ readonly kind: 'folder'; readonly path: string } | TreeRefusal>
  /** Removes every tree but these, and what a copy that broke off left behind. */
  retain(hashes: readonly string[]): Promise<void>
}

const shape = /^[0-9a-f]{64}$/
const Manifest = z.array(TreeFile)

interface StorePlace {
  readonly root: string
  readonly limits: TreeLimits
}

export function createTreeStore(root: string, limits: TreeLimits = treeLimits): TreeStore {
  const store: StorePlace = { root, limits }
  return {
    files: (sha256) => filesOf(store, sha256),
    folder: (sha256) => folderOf(store, sha256),
    async keepFolder(from, expected) {
      const found = await readTree(from, limits)
      if (found.kind === 'refused') return found
      return keep(store, expected, found.files, async (file) => {
        const read = await readTreeFile(from, file.path, limits.fileBytes)
        return 'reason' in read ? refused(read.reason) : read.bytes
      })
    },
    async keepFiles(given, expected) {
      const problem = treeProblem(
        given.map(({ path, bytes }) => ({ path, size: bytes.length })),
        limits,
      )
      if (problem !== undefined) return refused(problem)
      const bytes = new Map(given.map((file) => [file.path, file.bytes]))
      const listed = listedFiles(given)
      return keep(
        store,
        expected,
        listed,
        async ({ path }) => bytes.get(path) ?? refused(`${path} is not there.`),
      )
    },
    async read(sha256, path) {
      const file = (await filesOf(store, sha256))?.find((each) => each.path === path)
      if (!file) return refused(`There is no file ${JSON.stringify(path)} in it.`)
      const read = await readTreeFile(join(placeOf(store, sha256), 'files'), path, file.size)
      if ('reason' in read) return refused(`${damaged(sha256)} ${read.reason}`)
      return sha256Hex(read.bytes) === file.sha256 ? read.bytes : refused(damaged(sha256))
    },
    async retain(hashes) {
      const wanted = new Set(hashes)
      for (const name of await readdir(root).catch(() => [])) {
        if (!wanted.has(name)) await removeFolder(join(root, name))
      }
    },
  }
}

function placeOf({ root }: StorePlace, sha256: string): string {
  if (!shape.test(sha256)) throw new TypeError('A tree is named by its hash.')
  return join(root, sha256)
}

async function filesOf(store: StorePlace, sha256: string): Promise<readonly TreeFile[] | undefined> {
  if (!shape.test(sha256)) return undefined
  const text = await readFile(join(placeOf(store, sha256), 'manifest.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = Manifest.safeParse(jsonOf(text))
  return parsed.success && treeHash(parsed.data) === sha256 ? parsed.data : undefined
}

async function folderOf(
  store: StorePlace,
  sha256: string,
): Promise<{ readonly kind: 'folder'; readonly path: string } | TreeRefusal> {
  const listed = await filesOf(store, sha256)
  if (!listed) return refused(damaged(sha256))
  const path = join(placeOf(store, sha256), 'files')
  const found = await readTree(path, store.limits)
  if (found.kind === 'refused') return refused(`${damaged(sha256)} ${found.reason}`)
  return found.sha256 === sha256 ? { kind: 'folder', path } : refused(damaged(sha256))
}

async function keep(
  store: StorePlace,
  expected: string,
  listed: readonly TreeFile[],
  bytesOf: (file: TreeFile) => Promise<Uint8Array | TreeRefusal>,
): Promise<KeptTree | TreeRefusal> {
  const { root } = store
  const hash = treeHash(listed)
  if (hash !== expected) return refused(`Its files have the hash ${hash}, and ${expected} was approved.`)
  const kept: KeptTree = { kind: 'kept', sha256: expected, files: listed }
  if ((await folderOf(store, expected)).kind === 'folder') return kept
  await mkdir(root, { recursive: true, mode: 0o700 })
  const beside = await mkdtemp(join(root, 'part-'))
  const done = await copyInto(join(beside, 'files'), listed, bytesOf)
  if (done.kind === 'refused') {
    await removeFolder(beside)
    return done
  }
  await writeFile(join(beside, 'manifest.json'), JSON.stringify(listed), { mode: 0o600, flush: true })
  // Others may only look: root inside the sandbox is somebody else outside.
  await chmod(beside, 0o755)
  await removeFolder(placeOf(store, expected))
  await rename(beside, placeOf(store, expected))
  return kept
}

function listedFiles(given: readonly GivenFile[]): readonly TreeFile[] {
  return given
    .map(({ path, executable, bytes }) => ({
      path,
      size: bytes.length,
      sha256: sha256Hex(bytes),
      executable,
    }))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
}

const copiedTogether = 16

async function copyInto(
  folder: string,
  files: readonly TreeFile[],
  bytesOf: (file: TreeFile) => Promise<Uint8Array | TreeRefusal>,
): Promise<{ readonly kind: 'copied' } | TreeRefusal> {
  await mkdir(folder, { mode: 0o755 })
  for (const parent of new Set(files.map(({ path }) => dirname(join(folder, path)))))
    await mkdir(parent, { recursive: true, mode: 0o755 })
  const copyOne = async (file: TreeFile): Promise<TreeRefusal | undefined> => {
    const bytes = await bytesOf(file)
    if ('kind' in bytes) return bytes
    if (sha256Hex(bytes) !== file.sha256)
      return refused(`${file.path} changed while it was copied. Try again.`)
    await writeFile(join(folder, file.path), bytes, { flag: 'wx', mode: file.executable ? 0o555 : 0o444 })
    return undefined
  }
  for (let at = 0; at < files.length; at += copiedTogether) {
    const ends = await Promise.all(files.slice(at, at + copiedTogether).map(copyOne))
    const problem = ends.find((end) => end !== undefined)
    if (problem) return problem
  }
  return { kind: 'copied' }
}

function damaged(sha256: string): string {
  return `The files ${sha256.slice(0, 12)}… of an extension are damaged. Remove the extension and add it again.`
}

function refused(reason: string): TreeRefusal {
  return { kind: 'refused', reason }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
