/**
 * Owns a workspace that is only names: which files and folders are there, how large they are, and how often they were
 * changed. Enough for the definitions of tools to say what a call would touch. Deterministic.
 */
import { posix } from 'node:path'
import { foreignFolderOf } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import type { FileInspection, FileLocation, Inspector } from '@countersign/tools'
import { gitConfig, gitHead, identityOf, sightFrom } from '../sight.ts'

export interface Workspace {
  readonly inspector: Inspector
  exists(path: string): boolean
  /** Every file in it, as what goes when it is removed; itself where nothing is known of it. */
  within(path: string): readonly { readonly path: string; readonly op: 'delete' }[]
  write(path: string): void
  addFolder(path: string): void
  /** With all that is in it. */
  remove(path: string): void
  move(from: string, to: string): void
  addBranch(repository: string, name: string): void
  /** Folders that strangers fill, as the executor finds them. */
  foreign(): string[]
}

interface KeptFile {
  readonly size: number
  readonly version: number
}

const usualSize = 4_000

/** A line is a path; `path 40MB` says a size, `folder/` an empty folder, `folder/ git` a repository. */
export function createWorkspace(root: string, lines: readonly string[]): Workspace {
  const files = new Map<string, KeptFile>()
  const folders = new Set<string>(['.'])
  const branches = new Map<string, Set<string>>()

  function addFolder(path: string): void {
    for (let folder = path; folder !== '.' && folder !== ''; folder = posix.dirname(folder))
      folders.add(folder)
  }
  function keep(path: string, size: number): void {
    addFolder(posix.dirname(path))
    files.set(path, { size, version: (files.get(path)?.version ?? 0) + 1 })
  }
  function isIn(path: string, folder: string): boolean {
    return path === folder || path.startsWith(`${folder}/`)
  }
  for (const line of lines) {
    const [path = '', note = ''] = line.split(' ')
    const folder = path.replace(/\/$/, '')
    if (note === 'git') {
      addFolder(`${folder}/.git`)
      branches.set(folder, new Set(['main']))
    } else if (path.endsWith('/')) addFolder(folder)
    else keep(path, sizeOf(note))
  }

  function repositoryAbove(path: string): string | null {
    const folder = posix.dirname(path)
    if (branches.has(folder)) return folder
    return folder === path ? null : repositoryAbove(folder)
  }

  /** What git keeps of itself, for the repositories that are known. */
  function gitText(path: string): string | null | undefined {
    const [, folder = '', inner = ''] = /^(.+?)\/\.git\/(.+)$/.exec(path) ?? []
    const known = branches.get(folder)
    if (!known) return undefined
    if (inner === 'HEAD') return gitHead
    if (inner === 'config') return gitConfig
    const branch = /^refs\/heads\/(.+)$/.exec(inner)?.[1]
    return branch !== undefined && known.has(branch) ? `${sha256Hex(path).slice(0, 40)}\n` : null
  }
  function textOf({ path }: FileLocation): string {
    return gitText(path) ?? `${path} ${files.get(path)?.version ?? 0}`
  }
  function sightOf(location: FileLocation): FileInspection {
    const { path } = location
    const where = { path, besideHead: false, repository: repositoryAbove(path) }
    const identity = identityOf(path)
    if (folders.has(path)) return { kind: 'directory', identity, ...where }
    const isFile = files.has(path) || typeof gitText(path) === 'string'
    if (!isFile) return { kind: 'absent', ...where }
    const content = sha256Hex(textOf(location))
    return { kind: 'file', identity, content, size: files.get(path)?.size ?? 100, ...where }
  }

  return {
    inspector: {
      ...sightFrom(root),
      file: (location) => Promise.resolve(sightOf(location)),
      text(location) {
        const text = textOf(location)
        return Promise.resolve({ kind: 'text', text, content: sha256Hex(text), truncated: false })
      },
    },
    within(path) {
      const inner = [...files.keys()].filter((file) => isIn(file, path))
      return (inner.length > 0 ? inner : [path]).map((each) => ({ path: each, op: 'delete' }) as const)
    },
    exists: (path) => files.has(path) || folders.has(path),
    write: (path) => keep(path, usualSize),
    addFolder,
    remove(path) {
      for (const file of files.keys()) if (isIn(file, path)) files.delete(file)
      for (const folder of folders) if (isIn(folder, path)) folders.delete(folder)
    },
    move(from, to) {
      const movedFiles = [...files].filter(([file]) => isIn(file, from))
      const movedFolders = [...folders].filter((folder) => isIn(folder, from))
      for (const folder of movedFolders) {
        folders.delete(folder)
        addFolder(`${to}${folder.slice(from.length)}`)
      }
      for (const [file, kept] of movedFiles) {
        files.delete(file)
        addFolder(posix.dirname(`${to}${file.slice(from.length)}`))
        files.set(`${to}${file.slice(from.length)}`, kept)
      }
    },
    addBranch: (repository, name) => void branches.get(repository)?.add(name),
    foreign() {
      const found = [...folders, ...files.keys()].flatMap((path) => foreignFolderOf(path)?.path ?? [])
      return [...new Set(found)].toSorted()
    },
  }
}

function sizeOf(note: string): number {
  const found = /^(\d+)(kB|MB|GB)$/.exec(note)
  if (!found) return usualSize
  return Number(found[1]) * { kB: 1e3, MB: 1e6, GB: 1e9 }[found[2] as 'kB' | 'MB' | 'GB']
}
