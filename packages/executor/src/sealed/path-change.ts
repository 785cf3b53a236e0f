/**
 * Owns how a change of the workspace is written down: what stood at a path, and what stands there afterwards. Paths and
 * the targets of links are bytes, each written as the character of that number, because a name need not be text.
 */

export type TreeEntry =
  | {
      readonly kind: 'file'
      readonly mode: number
      readonly size: number
      readonly modifiedMs: number
      readonly sha256: string
      /** Where its bytes are, in the folder that they are taken from. */
      readonly bytes: string
      /** An earlier path of the same list that is another name of the same file. */
      readonly same: string | null
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly mode: number }

export interface PathChange {
  readonly path: string
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
}

/** How much one program may change. Beyond it nothing is taken over. */
export const takeOverBounds = {
  mostChanges: 100_000,
  /** Of what is new, and of what has to be kept for an undo. */
  mostBytes: 4 * 1024 ** 3,
} as const

/** Stands in a text for bytes that are none; where such a path leads is not known by it. */
export const notText = '\ufffd'

export function pathText(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

export function pathBytes(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1')
}
