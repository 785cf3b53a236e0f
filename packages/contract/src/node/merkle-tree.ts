/** The RFC 6962 tree over ledger entries: hashes, the compact frontier and proofs. Pure; refuses sizes and bytes that no tree has. */
import { createHash } from 'node:crypto'

/** Enough of a tree to append to it and know its root: one peak per set bit of `size`, largest subtree first. */
export interface Frontier {
  readonly size: number
  readonly peaks: readonly Uint8Array[]
}

/** The RFC 6962 hash of leaves `start` to `end` (exclusive), as if they were a tree of their own. */
export type RangeRoot = (start: number, end: number) => Uint8Array

export interface InclusionClaim {
  readonly leaf: Uint8Array
  readonly index: number
  readonly size: number
  readonly root: Uint8Array
  readonly proof: readonly Uint8Array[]
}

export interface ConsistencyClaim {
  readonly oldSize: number
  readonly oldRoot: Uint8Array
  readonly newSize: number
  readonly newRoot: Uint8Array
  readonly proof: readonly Uint8Array[]
}

export function leafHash(entry: Uint8Array): Uint8Array {
  return createHash('sha256').update(leafPrefix).update(entry).digest()
}

export function emptyFrontier(): Frontier {
  return { size: 0, peaks: [] }
}

/** Returns a new frontier, so that a transaction that rolls back keeps the old one. */
export function appendLeaf(frontier: Frontier, leaf: Uint8Array): Frontier {
  const peaks = [...frontier.peaks]
  let hash = leaf
  for (let rest = frontier.size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
    hash = nodeHash(peaks.pop() as Uint8Array, hash)
  }
  peaks.push(hash)
  return { size: frontier.size + 1, peaks }
}

export function frontierRoot(frontier: Frontier): Uint8Array {
  const [smallest, ...larger] = frontier.peaks.toReversed()
  if (smallest === undefined) return emptyRoot()
  return larger.reduce((right, left) => nodeHash(left, right), smallest)
}

/** One version byte, the size as eight big-endian bytes, then the peaks. */
export function serialiseFrontier(frontier: Frontier): Uint8Array {
  const head = Buffer.alloc(frontierHeadLength)
  head.writeUInt8(frontierVersion, 0)
  head.writeBigUInt64BE(BigInt(frontier.size), 1)
  return Buffer.concat([head, ...frontier.peaks])
}

/** Throws on bytes that `serialiseFrontier` cannot have written: a damaged frontier must stop the sequencer. */
export function parseFrontier(bytes: Uint8Array): Frontier {
  const buffer = Buffer.from(bytes)
  if (buffer.length < frontierHeadLength || buffer.readUInt8(0) !== frontierVersion) {
    throw new Error('The stored ledger frontier has an unknown form.')
  }
  const size = Number(buffer.readBigUInt64BE(1))
  if (!Number.isSafeInteger(size) || buffer.length !== frontierHeadLength + hashLength * setBits(size)) {
    throw new Error(`The stored ledger frontier does not hold the peaks of ${size} entries.`)
  }
  const peaks: Uint8Array[] = []
  for (let at = frontierHeadLength; at < buffer.length; at += hashLength) {
    peaks.push(buffer.subarray(at, at + hashLength))
  }
  return { size, peaks }
}

/** Answers range roots over an array of leaf hashes, and remembers whole subtrees between calls. */
export function rangesOf(leaves: readonly Uint8Array[]): RangeRoot {
  const subtrees = new Map<string, Uint8Array>()
  const range: RangeRoot = (start, end) => {
    if (start < 0 || end < start || end > leaves.length) {
      throw new RangeError(`No range ${start} to ${end} in ${leaves.length} leaves.`)
    }
    const size = end - start
    if (size === 0) return emptyRoot()
    if (size === 1) return leaves[start] as Uint8Array
    const split = splitOf(size)
    const name = split * 2 === size ? `${start}:${end}` : undefined
    const known = name === undefined ? undefined : subtrees.get(name)
    if (known !== undefined) return known
    const root = nodeHash(range(start, start + split), range(start + split, end))
    if (name !== undefined) subtrees.set(name, root)
    return root
  }
  return range
}

/** The audit path of one leaf in the tree of the first `size` leaves, nearest sibling first. */
export function inclusionProof(range: RangeRoot, index: number, size: number): Uint8Array[] {
  if (index < 0 || index >= size) throw new RangeError(`No leaf ${index} in a tree of ${size}.`)
  const proof: Uint8Array[] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      proof.push(range(middle, end))
      end = middle
    } else {
      proof.push(range(start, middle))
      start = middle
    }
  }
  return proof.toReversed()
}

/** The proof that the tree of `oldSize` leaves is a prefix of the tree of `newSize` leaves. */
export function consistencyProof(range: RangeRoot, oldSize: number, newSize: number): Uint8Array[] {
  if (oldSize < 0 || oldSize > newSize) {
    throw new RangeError(`No consistency proof from ${oldSize} to ${newSize} leaves.`)
  }
  if (oldSize === 0 || oldSize === newSize) return []
  const proof: Uint8Array[] = []
  let start = 0
  let end = newSize
  while (end !== oldSize) {
    const middle = start + splitOf(end - start)
    if (oldSize <= middle) {
      proof.push(range(middle, end))
      end = middle
    } else {
      proof.push(range(start, middle))
      start = middle
    }
  }
  if (start > 0) proof.push(range(start, end))
  return proof.toReversed()
}

export function verifyInclusion(claim: InclusionClaim): boolean {
  const { leaf, index, size, root, proof } = claim
  if (!isCount(index) || !isCount(size) || index >= size) return false
  let position = index
  let last = size - 1
  let hash = leaf
  for (const sibling of proof) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash)
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2)
        last = Math.floor(last / 2)
      }
    } else {
      hash = nodeHash(hash, sibling)
    }
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && sameBytes(hash, root)
}

export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { oldSize, oldRoot, newSize, newRoot, proof } = claim
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize) return false
  if (oldSize === newSize) return proof.length === 0 && sameBytes(oldRoot, newRoot)
  if (oldSize === 0) return proof.length === 0 && sameBytes(oldRoot, emptyRoot())

  let position = oldSize - 1
  let last = newSize - 1
  while (position % 2 === 1) {
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  // When the old tree is one whole subtree of the new one, its root is not repeated in the proof.
  const [first, ...rest] = position === 0 ? [oldRoot, ...proof] : proof
  if (first === undefined) return false
  let oldHash = first
  let newHash = first
  for (const sibling of rest) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      oldHash = nodeHash(sibling, oldHash)
      newHash = nodeHash(sibling, newHash)
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2)
        last = Math.floor(last / 2)
      }
    } else {
      newHash = nodeHash(newHash, sibling)
    }
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && sameBytes(oldHash, oldRoot) && sameBytes(newHash, newRoot)
}

const hashLength = 32
const frontierVersion = 1
const frontierHeadLength = 9
const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(nodePrefix).update(left).update(right).digest()
}

function emptyRoot(): Uint8Array {
  return createHash('sha256').digest()
}

/** The largest power of two below `size`. Halving, not shifting: shifts are wrong above 2^31. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

function setBits(size: number): number {
  let count = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
