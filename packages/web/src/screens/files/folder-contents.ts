/** Owns what lies in a folder and below, so that it can be deleted through the door piece by piece. Refuses links and too much. */
import { largestUndo, type WorkspaceFolder } from '@countersign/contract'

export const mostDeletedFiles = 100

export interface FolderContents {
  readonly files: readonly string[]
  /** The folder itself is the last; each comes after those in it. */
  readonly folders: readonly string[]
  /** How many of the files are too large to be brought back. */
  readonly lasting: number
}

/** Null where there is more than is deleted from here, or something that is neither a file nor a folder. */
export async function contentsOf(
  list: (path: string) => Promise<WorkspaceFolder>,
  path: string,
): Promise<FolderContents | null> {
  const files: string[] = []
  const folders = [path]
  let lasting = 0
  for (let at = 0; at < folders.length; at += 1) {
    const { entries, more } = await list(folders[at] ?? path)
    for (const entry of entries) {
      if (entry.kind === 'folder') folders.push(entry.path)
      else if (entry.kind === 'file') files.push(entry.path)
      else return null
      if (entry.size > largestUndo) lasting += 1
    }
    if (more || files.length > mostDeletedFiles || folders.length > mostDeletedFiles) return null
  }
  return { files, folders: folders.toReversed(), lasting }
}
