/** Owns the shape of files that are held in memory while they are looked at. */
import type { TreeFile } from '../../extension.ts'
import type { TreeRefusal } from '../file-tree.ts'
import { sha256Hex } from '../sha256.ts'

export interface SkillFile {
  readonly bytes: Uint8Array
  readonly executable: boolean
}

/** By path. */
export type SkillFiles = ReadonlyMap<string, SkillFile>

/** As a card lists them. */
export function treeFilesOf(files: SkillFiles): TreeFile[] {
  return [...files].map(([path, { bytes, executable }]) => ({
    path,
    size: bytes.length,
    sha256: sha256Hex(bytes),
    executable,
  }))
}

export type ReadArchive = { readonly kind: 'read'; readonly files: SkillFiles } | TreeRefusal
