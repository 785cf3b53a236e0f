/** Owns which files lie in a folder and below, so that they can be deleted through the door one by one. Refuses links and too much. */
import type { WorkspaceFolder } from '@countersign/contract'

export const mostDeletedFiles = 100

/** Null where there is more than is deleted from here, or something that is neither a file nor a folder. */
export async function filesBelow(
  list: (path: string) => Promise<WorkspaceFolder>,
  path: string,
): Promise<readonly string[] | null> {
  const files: string[] = []
  const open = [path]
  for (let next = open.pop(), looked = 1; next !== undefined; next = open.pop(), looked += 1) {
    const { entries, more } = await list(next)
    for (const entry of entries) {
      if (entry.kind === 'folder') open.push(entry.path)
      else if (entry.kind === 'file') files.push(entry.path)
      else return null
    }
    if (more || files.length > mostDeletedFiles || looked + open.length > mostDeletedFiles) return null
  }
  return files
}
