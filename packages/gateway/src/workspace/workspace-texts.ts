/**
 * Owns which files of the workspace are searched by what they say: texts of a size that somebody reads. Refuses hidden
 * files and folders, those of package managers, links, and files in which keys and passwords are kept.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { FileVersion, WorkspaceTexts } from '@countersign/assistant'
import { CountersignError } from '@countersign/contract'
import { credentialAt } from '@countersign/tools'
import { createWorkspaceReader, type SeenEntry } from './workspace-reader.ts'

export interface WorkspaceTextLimits {
  readonly files: number
  readonly folders: number
  readonly depth: number
  readonly bytes: number
}

export const workspaceTextLimits: WorkspaceTextLimits = {
  files: 5_000,
  folders: 2_000,
  depth: 12,
  bytes: 200_000,
}

const foreign = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', '__pycache__', 'venv'])

export function createWorkspaceTexts(workspace: string, limits = workspaceTextLimits): WorkspaceTexts {
  const reader = createWorkspaceReader(workspace)

  function isSearched({ name, path, kind, size }: SeenEntry): boolean {
    if (name.startsWith('.') || kind !== 'file' || size === 0 || size > limits.bytes) return false
    return credentialAt(join(workspace, path), homedir()) === null
  }

  return {
    async list() {
      const found: FileVersion[] = []
      const folders: { path: string; depth: number }[] = [{ path: '.', depth: 0 }]
      for (let seen = 0; seen < Math.min(folders.length, limits.folders); seen += 1) {
        const { path, depth } = folders[seen] ?? { path: '.', depth: limits.depth }
        for (const entry of await entriesOf(reader.folder(path))) {
          if (found.length >= limits.files) return found
          if (isSearched(entry)) found.push({ path: entry.path, version: versionOf(entry) })
          const isOpen = entry.kind === 'folder' && !entry.name.startsWith('.') && !foreign.has(entry.name)
          if (isOpen && depth < limits.depth) folders.push({ path: entry.path, depth: depth + 1 })
        }
      }
      return found
    },
    async read(path) {
      // Looked at before and after: what is read in between may be of either.
      const before = await lookAt(path)
      const bytes = await reader.whole(path, limits.bytes)
      const after = await lookAt(path)
      if (!before || !bytes || !after || versionOf(before) !== versionOf(after)) return undefined
      return { text: textOf(bytes), version: versionOf(after), at: new Date(after.modifiedAt) }
    },
    async versionOf(path) {
      const entry = await lookAt(path)
      return entry && versionOf(entry)
    },
  }

  async function lookAt(path: string): Promise<Pick<SeenEntry, 'modifiedAt' | 'size'> | undefined> {
    try {
      return await reader.part(path, 0, 0)
    } catch (error) {
      // It is gone, or became a link.
      if (error instanceof CountersignError) return undefined
      throw error
    }
  }
}

/** Nothing where the folder went away meanwhile. */
async function entriesOf(folder: Promise<{ readonly entries: readonly SeenEntry[] }>) {
  try {
    return (await folder).entries
  } catch (error) {
    if (error instanceof CountersignError) return []
    throw error
  }
}

function versionOf({ modifiedAt, size }: Pick<SeenEntry, 'modifiedAt' | 'size'>): string {
  return `${modifiedAt} ${size}`
}

/** Null for what is no text. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
