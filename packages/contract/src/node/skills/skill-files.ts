/** Owns the files of a skill that is not let in yet, from a folder or from an archive. Refuses what is too large to be looked at. */
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { mostSkillFiles } from '../../extension.ts'
import { readTree, readTreeFile, type TreeLimits, type TreeRefusal, treeProblem } from '../file-tree.ts'
import type { SkillFile, SkillFiles } from './file-set.ts'
import { untar } from './tar.ts'
import { unzip } from './zip.ts'

export type FoundFiles =
  | { readonly kind: 'files'; readonly files: SkillFiles; readonly leftOut?: true }
  | TreeRefusal

export const skillLimits: TreeLimits = {
  files: mostSkillFiles,
  bytes: 10 * 1024 * 1024,
  fileBytes: 2 * 1024 * 1024,
}

/** What is at the top of the folder under a name in `ignored` is not looked at. */
export async function filesInFolder(folder: string, ignored: readonly string[] = []): Promise<FoundFiles> {
  const found = await readTree(folder, skillLimits, ignored)
  if (found.kind === 'refused') return found
  const files = new Map<string, SkillFile>()
  for (const { path } of found.files) {
    const read = await readTreeFile(folder, path, skillLimits.fileBytes)
    if ('reason' in read) return { kind: 'refused', reason: read.reason }
    files.set(path, read)
  }
  const all = checked(files)
  return all.kind === 'files' && found.leftOut ? { ...all, leftOut: true } : all
}

const largestArchive = 50 * 1024 * 1024

export async function filesInArchive(path: string): Promise<FoundFiles> {
  const { size } = await stat(path)
  if (size > largestArchive) return refused(`${basename(path)} is larger than ${largestArchive} bytes.`)
  return filesOfArchive(await readFile(path))
}

/** What is in it, without the one folder around everything that most archives have. */
export function filesOfArchive(archive: Uint8Array): FoundFiles {
  const kind = kindOf(archive)
  if (kind === undefined) return refused('It is neither a .tar.gz nor a .zip.')
  const read = kind === 'zip' ? unzip(archive, skillLimits) : untar(archive, skillLimits)
  if (read.kind === 'refused') return read
  const problem = treeProblem(
    [...read.files].map(([at, { bytes }]) => ({ path: at, size: bytes.length })),
    skillLimits,
  )
  if (problem !== undefined) return refused(problem)
  const tops = new Set([...read.files.keys()].map((at) => at.slice(0, at.indexOf('/') + 1)))
  const [top = ''] = tops
  const isWrapped = tops.size === 1 && top !== ''
  return checked(new Map([...read.files].map(([at, file]) => [isWrapped ? at.slice(top.length) : at, file])))
}

function kindOf(bytes: Uint8Array): 'zip' | 'tar' | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'tar'
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? 'zip' : undefined
}

function checked(files: ReadonlyMap<string, SkillFile>): FoundFiles {
  const paths = [...files.keys()]
  const problem = treeProblem(
    [...files].map(([path, { bytes }]) => ({ path, size: bytes.length })),
    skillLimits,
  )
  if (problem !== undefined) return refused(problem)
  if (paths.some((path) => path.split('/').includes('.git')))
    return refused(
      'There is a repository of git in it. Leave `.git` out: its files are no part of the skill.',
    )
  return { kind: 'files', files: new Map([...files].toSorted(([left], [right]) => (left < right ? -1 : 1))) }
}

function refused(reason: string): TreeRefusal {
  return { kind: 'refused', reason }
}
