/** Owns the shape of files that are held in memory while they are looked at. */
import type { TreeRefusal } from '../file-tree.ts'

export interface SkillFile {
  readonly bytes: Uint8Array
  readonly executable: boolean
}

/** By path. */
export type SkillFiles = ReadonlyMap<string, SkillFile>

export type ReadArchive = { readonly kind: 'read'; readonly files: SkillFiles } | TreeRefusal
