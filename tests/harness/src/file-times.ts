/** Owns when files were changed last, by which something built is told from what it is built from. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Of a file that is not there, long ago. */
export function timeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Of all files below it but tests. */
export function newestIn(folder: string): number {
  let newest = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      newest = Math.max(newest, timeOf(join(entry.parentPath, entry.name)))
  return newest
}
