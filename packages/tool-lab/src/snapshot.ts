/** Owns the state of a workspace at one moment, and what differs between two. Looks with its own eyes, not the tool's. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'

/** What is at each path: its kind, its permissions and the hash of its content, in one text. */
export type Snapshot = ReadonlyMap<string, string>

export interface Change {
  readonly path: string
  readonly what: 'created' | 'changed' | 'deleted'
  readonly isFolder: boolean
}

export function snapshotOf(root: string): Snapshot {
  const found = new Map<string, string>()
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      const full = join(root, path)
      const stat = lstatSync(full)
      const mode = (stat.mode & 0o7777).toString(8)
      if (stat.isDirectory()) {
        found.set(path, `folder ${mode}`)
        walk(path)
      } else if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(full)}`)
      else found.set(path, stat.isFile() ? `file ${mode} ${sha256Hex(readFileSync(full))}` : 'other')
    }
  }
  walk('')
  return found
}

export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  const changes: Change[] = []
  const isFolder = (state: string | undefined) => state?.startsWith('folder') === true
  for (const [path, state] of before) {
    const now = after.get(path)
    if (now === undefined) changes.push({ path, what: 'deleted', isFolder: isFolder(state) })
    else if (now !== state) changes.push({ path, what: 'changed', isFolder: isFolder(now) })
  }
  for (const [path, state] of after)
    if (!before.has(path)) changes.push({ path, what: 'created', isFolder: isFolder(state) })
  return changes.toSorted((left, right) => (left.path < right.path ? -1 : 1))
}
