import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  appendLeaf,
  consistencyProof,
  emptyFrontier,
  frontierRoot,
  inclusionProof,
  leafHash,
  parseFrontier,
  rangesOf,
  serialiseFrontier,
  verifyConsistency,
  verifyInclusion,
} from './merkle-tree.ts'

const sizes = 256
const leaves = Array.from({ length: sizes }, (_, index) => leafHash(Buffer.from(`entry ${index}`)))
const range = rangesOf(leaves)
const cache = new Map<string, Buffer>()
const roots = Array.from({ length: sizes + 1 }, (_, size) => naiveRoot(0, size))

test('hashes the eight inputs of the published RFC 6962 test tree to their known roots', () => {
  const inputs = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ]
  const known = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  let frontier = emptyFrontier()
  expect(hex(frontierRoot(frontier))).toBe(known[0])
  for (const [index, input] of inputs.entries()) {
    frontier = appendLeaf(frontier, leafHash(Buffer.from(input, 'hex')))
    expect(hex(frontierRoot(frontier))).toBe(known[index + 1])
  }
})

test('keeps the frontier root equal to the recursive definition, also after a round trip through bytes', () => {
  let frontier = emptyFrontier()
  for (let size = 0; size <= sizes; size += 1) {
    expect(hex(frontierRoot(frontier))).toBe(hex(roots[size]))
    expect(hex(range(0, size))).toBe(hex(roots[size]))
    frontier = parseFrontier(serialiseFrontier(frontier))
    expect(frontier.size).toBe(size)
    if (size < sizes) frontier = appendLeaf(frontier, leaves[size] as Uint8Array)
  }
})

test('leaves the earlier frontier as it was when a leaf is appended', () => {
  const before = appendLeaf(emptyFrontier(), leaves[0] as Uint8Array)
  appendLeaf(before, leaves[1] as Uint8Array)
  expect(hex(frontierRoot(before))).toBe(hex(roots[1]))
})

test('refuses frontier bytes of another version, of a wrong length and of a size that has other peaks', () => {
  const bytes = serialiseFrontier(appendLeaf(emptyFrontier(), leaves[0] as Uint8Array))
  const other = Buffer.from(bytes)
  other[0] = 2
  const wrongSize = Buffer.from(bytes)
  wrongSize[8] = 3
  for (const damaged of [other, wrongSize, bytes.subarray(0, -1), bytes.subarray(0, 4), Buffer.alloc(0)]) {
    expect(() => parseFrontier(damaged)).toThrow('frontier')
  }
})

test('proves every leaf in every tree up to 256 leaves, and no leaf at its neighbour index', () => {
  let wrong = 0
  for (let size = 1; size <= sizes; size += 1) {
    const root = roots[size] as Uint8Array
    for (let index = 0; index < size; index += 1) {
      const proof = naivePath(index, 0, size)
      const leaf = leaves[index] as Uint8Array
      if (!verifyInclusion({ leaf, index, size, root, proof })) wrong += 1
      if (verifyInclusion({ leaf, index: index ^ 1, size, root, proof })) wrong += size === 1 ? 0 : 1
    }
  }
  expect(wrong).toBe(0)
})

test('makes the same proofs as the recursive definition, for every index and size up to 256', () => {
  let wrong = 0
  for (let size = 1; size <= sizes; size += 1) {
    for (let index = 0; index < size; index += 1) {
      if (!same(inclusionProof(range, index, size), naivePath(index, 0, size))) wrong += 1
    }
    for (let old = 1; old <= size; old += 1) {
      if (!same(consistencyProof(range, old, size), naiveSubproof(old, 0, size, true))) wrong += 1
    }
  }
  expect(wrong).toBe(0)
  expect(consistencyProof(range, 0, sizes)).toEqual([])
})

test('proves consistency between every two sizes up to 256, and not against the root of another size', () => {
  let wrong = 0
  for (let newSize = 0; newSize <= sizes; newSize += 1) {
    const newRoot = roots[newSize] as Uint8Array
    for (let oldSize = 0; oldSize <= newSize; oldSize += 1) {
      const proof = oldSize === 0 ? [] : naiveSubproof(oldSize, 0, newSize, true)
      const oldRoot = roots[oldSize] as Uint8Array
      if (!verifyConsistency({ oldSize, oldRoot, newSize, newRoot, proof })) wrong += 1
      const strange = roots[oldSize === 0 ? 1 : oldSize - 1] as Uint8Array
      if (verifyConsistency({ oldSize, oldRoot: strange, newSize, newRoot, proof })) wrong += 1
    }
  }
  expect(wrong).toBe(0)
})

test('refuses a proof that is longer, shorter, reordered or has one bit changed', () => {
  const size = 100
  const oldSize = 37
  const root = roots[size] as Uint8Array
  const oldRoot = roots[oldSize] as Uint8Array
  const path = inclusionProof(range, 41, size)
  const link = consistencyProof(range, oldSize, size)
  for (const proof of damagedCopies(path)) {
    expect(verifyInclusion({ leaf: leaves[41] as Uint8Array, index: 41, size, root, proof })).toBe(false)
  }
  for (const proof of damagedCopies(link)) {
    expect(verifyConsistency({ oldSize, oldRoot, newSize: size, newRoot: root, proof })).toBe(false)
  }
})

test('refuses claims about indexes and sizes that no tree has', () => {
  const leaf = leaves[0] as Uint8Array
  const root = roots[1] as Uint8Array
  expect(verifyInclusion({ leaf, index: 0, size: 1, root, proof: [] })).toBe(true)
  expect(verifyInclusion({ leaf, index: 1, size: 1, root, proof: [] })).toBe(false)
  expect(verifyInclusion({ leaf, index: -1, size: 1, root, proof: [] })).toBe(false)
  expect(verifyInclusion({ leaf, index: 0.5, size: 1, root, proof: [] })).toBe(false)
  expect(verifyConsistency({ oldSize: 2, oldRoot: root, newSize: 1, newRoot: root, proof: [] })).toBe(false)
  expect(() => inclusionProof(range, 4, 4)).toThrow(RangeError)
  expect(() => consistencyProof(range, 5, 4)).toThrow(RangeError)
  expect(() => range(0, sizes + 1)).toThrow(RangeError)
})

function same(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return Buffer.compare(Buffer.concat(a), Buffer.concat(b)) === 0
}

function damagedCopies(proof: readonly Uint8Array[]): Uint8Array[][] {
  const copies = [[...proof, proof[0] as Uint8Array], proof.slice(1), proof.slice(0, -1), proof.toReversed()]
  for (let position = 0; position < proof.length; position += 1) {
    const changed = proof.map((hash) => Buffer.from(hash))
    const hash = changed[position] as Buffer
    hash[7] = (hash[7] as number) ^ 1
    copies.push(changed)
  }
  return copies
}

function naiveRoot(start: number, end: number): Buffer {
  const key = `${start}:${end}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  if (end - start === 1) return Buffer.from(leaves[start] as Uint8Array)
  if (end > start) {
    const middle = start + naiveSplit(end - start)
    hash.update(Uint8Array.of(1)).update(naiveRoot(start, middle)).update(naiveRoot(middle, end))
  }
  const root = hash.digest()
  cache.set(key, root)
  return root
}

function naivePath(index: number, start: number, end: number): Uint8Array[] {
  if (end - start === 1) return []
  const middle = start + naiveSplit(end - start)
  return index < middle
    ? [...naivePath(index, start, middle), naiveRoot(middle, end)]
    : [...naivePath(index, middle, end), naiveRoot(start, middle)]
}

function naiveSubproof(old: number, start: number, end: number, whole: boolean): Uint8Array[] {
  if (old === end) return whole ? [] : [naiveRoot(start, end)]
  const middle = start + naiveSplit(end - start)
  return old <= middle
    ? [...naiveSubproof(old, start, middle, whole), naiveRoot(middle, end)]
    : [...naiveSubproof(old, middle, end, false), naiveRoot(start, middle)]
}

function naiveSplit(size: number): number {
  return 2 ** Math.ceil(Math.log2(size) - 1)
}

function hex(hash: Uint8Array | undefined): string {
  return Buffer.from(hash ?? []).toString('hex')
}
