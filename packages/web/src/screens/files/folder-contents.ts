/** Owns what lies in a folder and below, so that it can be deleted through the door file by file. Refuses links and too much. */
import type { WorkspaceFolder } from '@countersign/contract'

export interface FolderContents {
  readonly files: readonly string[]
  /** The deepest first, the folder itself last. */
  readonly folders: readonly string[]
}

export const mostDeletedFiles = 100

/** Null where there is more than is deleted from here, or something that is neither a file nor a folder. */
export async function folderContents(
  list: (path: string) => Promise<WorkspaceFolder>,
  path: string,
): Promise<FolderContents | null> {
  const files: string[] = []
  const folders: string[] = []
  const open = [path]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { entries, more } = await list(next)
    folders.unshift(next)
    for (const entry of entries) {
      if (entry.kind === 'folder') open.push(entry.path)
      else if (entry.kind === 'file') files.push(entry.path)
      else return null
    }
    if (more || files.length > mostDeletedFiles || folders.length + open.length > mostDeletedFiles)
      return null
  }
  return { files, folders: folders.toSorted((a, b) => b.split('/').length - a.split('/').length) }
}
