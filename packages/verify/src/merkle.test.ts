import { expect, test } from 'vitest'
import { createTree, leafOf, rootWith, subtreeOf } from './merkle.ts'
import { rootOf, sha256 } from './testing/export.ts'

const lines = Array.from({ length: 130 }, (_, index) => Buffer.from(`{"seq":${index + 1}}`))
const plain = lines.map((line) => sha256(Uint8Array.of(0), line))
const leaves = lines.map((line) => leafOf(line))

test('has the root of the plain definition at every size', () => {
  const tree = createTree()
  for (let size = 0; size <= lines.length; size += 1) {
    const expected = rootOf(plain.slice(0, size)).toString('latin1')
    expect(tree.size()).toBe(size)
    expect(tree.root()).toBe(expected)
    if (size > 0) expect(subtreeOf(leaves.slice(0, size)).hash).toBe(expected)
    if (size < lines.length) tree.add(leaves[size] as string)
  }
})

test('computes the root with one leaf exchanged, and the same root for the same leaf', () => {
  const tree = subtreeOf(leaves)
  const other = Buffer.from('{}')
  for (const index of leaves.keys()) {
    const changed = rootOf(plain.with(index, sha256(Uint8Array.of(0), other))).toString('latin1')
    expect(rootWith(tree, index, leafOf(other))).toBe(changed)
    expect(rootWith(tree, index, leaves[index] as string)).toBe(tree.hash)
  }
})

test('refuses to make a subtree of nothing', () => {
  expect(() => subtreeOf([])).toThrow(RangeError)
})
