/** The RFC 6962 tree over ledger entries: hashes and the compact frontier. Pure; refuses sizes and bytes that no tree has. */
import { createHash } from 'node:crypto'

/** Enough of a tree to append to it and know its root: one peak per set bit of `size`, largest subtree first. */
export interface Frontier {
  readonly size: number
  readonly peaks: readonly Uint8Array[]
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

function setBits(size: number): number {
  let count = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}
