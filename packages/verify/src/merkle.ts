/** The ledger tree as a verifier needs it: append, root, and the root with one leaf exchanged. */
import { hash } from 'node:crypto'

/** 32 bytes, one character each. Strings compare by value and cost a third of what a buffer per hash does. */
export type Hash = string

export interface Tree {
  size(): number
  add(leaf: Hash): void
  root(): Hash
}

/** A subtree that remembers the hash of each of its parts. */
export type Subtree =
  | { readonly hash: Hash }
  | { readonly hash: Hash; readonly split: number; readonly left: Subtree; readonly right: Subtree }

export function leafOf(line: Uint8Array): Hash {
  const bytes = Buffer.allocUnsafe(line.length + 1)
  bytes[0] = 0
  bytes.set(line, 1)
  return hash('sha256', bytes, 'binary')
}

/** Holds a stack of finished subtrees only, so memory does not grow with the ledger. */
export function createTree(): Tree {
  const stack: { hash: Hash; leaves: number }[] = []
  let size = 0
  return {
    size: () => size,
    add(leaf) {
      let top = { hash: leaf, leaves: 1 }
      for (let below = stack.at(-1); below?.leaves === top.leaves; below = stack.at(-1)) {
        stack.pop()
        top = { hash: join(below.hash, top.hash), leaves: below.leaves + top.leaves }
      }
      stack.push(top)
      size += 1
    },
    root: () =>
      size === 0
        ? hash('sha256', '', 'binary')
        : stack.map((part) => part.hash).reduceRight((right, left) => join(left, right)),
  }
}

/** Splits the leaves as RFC 6962 defines the tree; needs at least one. */
export function subtreeOf(leaves: readonly Hash[]): Subtree {
  const [only, ...more] = leaves
  if (only === undefined) throw new RangeError('A subtree has at least one leaf.')
  if (more.length === 0) return { hash: only }
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  const left = subtreeOf(leaves.slice(0, split))
  const right = subtreeOf(leaves.slice(split))
  return { hash: join(left.hash, right.hash), split, left, right }
}

/** The root that `tree` would have with another leaf at `index`: one hash per level. */
export function rootWith(tree: Subtree, index: number, leaf: Hash): Hash {
  if (!('split' in tree)) return leaf
  return index < tree.split
    ? join(rootWith(tree.left, index, leaf), tree.right.hash)
    : join(tree.left.hash, rootWith(tree.right, index - tree.split, leaf))
}

function join(left: Hash, right: Hash): Hash {
  return hash('sha256', Buffer.from(`\u0001${left}${right}`, 'latin1'), 'binary')
}
