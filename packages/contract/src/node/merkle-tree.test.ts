import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  appendLeaf,
  emptyFrontier,
  frontierRoot,
  leafHash,
  parseFrontier,
  serialiseFrontier,
} from './merkle-tree.ts'

const sizes = 256
const leaves = Array.from({ length: sizes }, (_, index) => leafHash(Buffer.from(`entry ${index}`)))
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

function naiveSplit(size: number): number {
  return 2 ** Math.ceil(Math.log2(size) - 1)
}

function hex(hash: Uint8Array | undefined): string {
  return Buffer.from(hash ?? []).toString('hex')
}
