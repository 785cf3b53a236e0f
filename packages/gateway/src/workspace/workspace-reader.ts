/**
 * Owns looking into the workspace for its operator: one folder, or a part of one file. Follows no link, on any part of
 * the way, and opens nothing outside: what was opened is compared with what was asked for before a byte of it is read.
 */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CountersignError,
  mostFolderEntries,
  type WorkspaceEntry,
  type WorkspaceFilePart,
} from '@countersign/contract'

export type SeenEntry = Omit<WorkspaceEntry, 'label'>
export type SeenPart = Omit<WorkspaceFilePart, 'label'>

export interface WorkspaceReader {
  folder(path: string): Promise<{ readonly entries: readonly SeenEntry[]; readonly more: boolean }>
  part(path: string, offset: number, length: number): Promise<SeenPart>
  /** All of a file; nothing where it is not there, is no file, or is longer than `most`. */
  whole(path: string, most: number): Promise<Uint8Array | undefined>
}

export function createWorkspaceReader(workspace: string): WorkspaceReader {
  return {
    folder: (path) =>
      opened(workspace, path, constants.O_DIRECTORY, async (_, place) => {
        const found = await readdir(place)
        const named = found.filter((name) => name.isWellFormed()).toSorted(byName)
        const seen = await Promise.all(
          named.slice(0, mostFolderEntries * 4).map((name) => entryAt(place, path, name)),
        )
        const entries = seen.flatMap((entry) => entry ?? []).toSorted(foldersFirst)
        return {
          entries: entries.slice(0, mostFolderEntries),
          more: entries.length > mostFolderEntries || named.length > mostFolderEntries * 4,
        }
      }),
    part: (path, offset, length) =>
      opened(workspace, path, 0, async (handle) => {
        const stat = await handle.stat()
        if (!stat.isFile()) throw refused(`${path} is not a file.`)
        const buffer = Buffer.alloc(Math.min(length, Math.max(0, stat.size - offset)))
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
        return {
          path,
          size: stat.size,
          modifiedAt: stat.mtime.toISOString(),
          version: `${stat.ino}-${stat.mtimeMs}-${stat.size}`,
          offset,
          base64: buffer.subarray(0, bytesRead).toString('base64'),
        }
      }),
    whole: (path, most) =>
      opened(workspace, path, 0, async (handle) => {
        const stat = await handle.stat()
        if (!stat.isFile() || stat.size > most) return undefined
        const buffer = Buffer.alloc(stat.size)
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
        return buffer.subarray(0, bytesRead)
      }).catch((error: unknown) => {
        if (error instanceof CountersignError) return undefined
        throw error
      }),
  }
}

/** Opens what lies at the path itself. `place` is a name for it that nobody can bend meanwhile, where there is one. */
async function opened<T>(
  workspace: string,
  path: string,
  flags: number,
  use: (handle: FileHandle, place: string) => Promise<T>,
): Promise<T> {
  const root = await realpath(workspace)
  const wanted = path === '.' ? root : join(root, path)
  const handle = await open(
    wanted,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | flags,
  ).catch((cause: NodeJS.ErrnoException) => {
    throw failureOf(path, cause)
  })
  try {
    const held = `/proc/self/fd/${handle.fd}`
    const isLinux = process.platform === 'linux'
    // O_NOFOLLOW guards the last name only; this covers the folders above it.
    const real = isLinux ? await readlink(held) : await realpath(wanted)
    const isSame = isLinux || isOne(await handle.stat(), await lstat(wanted))
    if (real !== wanted || !isSame) throw refused(`${path} leads through a symbolic link.`)
    return await use(handle, isLinux ? held : wanted)
  } finally {
    await handle.close()
  }
}

async function entryAt(place: string, folder: string, name: string): Promise<SeenEntry | undefined> {
  try {
    const stat = await lstat(join(place, name))
    const path = folder === '.' ? name : `${folder}/${name}`
    return {
      name,
      path,
      kind: kindOf(stat),
      size: stat.isFile() ? stat.size : 0,
      modifiedAt: stat.mtime.toISOString(),
    }
  } catch {
    // It went away meanwhile.
    return undefined
  }
}

function kindOf(stat: Stats): WorkspaceEntry['kind'] {
  if (stat.isSymbolicLink()) return 'link'
  if (stat.isDirectory()) return 'folder'
  return stat.isFile() ? 'file' : 'other'
}

const isOne = (left: Stats, right: Stats) => left.dev === right.dev && left.ino === right.ino
const byName = (left: string, right: string) => left.localeCompare(right, 'en', { numeric: true })
const foldersFirst = (left: SeenEntry, right: SeenEntry) =>
  Number(right.kind === 'folder') - Number(left.kind === 'folder')

function failureOf(path: string, { code }: NodeJS.ErrnoException): CountersignError {
  if (code === 'ENOENT') return new CountersignError('not_found', `${path} does not exist.`)
  if (code === 'ENOTDIR') return refused(`${path} is no folder, or lies below something that is none.`)
  if (code === 'ELOOP' || code === 'EMLINK') return refused(`${path} is a symbolic link.`)
  return refused(`${path} cannot be opened.`)
}

function refused(message: string): CountersignError {
  return new CountersignError('usage', message, { next: 'Choose a file or folder of the workspace.' })
}
