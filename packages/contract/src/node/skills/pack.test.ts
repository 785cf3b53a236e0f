import { expect, test } from 'vitest'
import { packedFiles } from './pack.ts'
import { filesOfArchive } from './skill-files.ts'

const file = (text: string, executable = false) => ({ bytes: Buffer.from(text), executable })

test('packs files so that they are read as they were, and alike each time', () => {
  const files = new Map([
    ['a.txt', file('x'.repeat(600))],
    ['empty.txt', file('')],
    ['src/run.sh', file('#!/bin/sh', true)],
  ])
  const packed = packedFiles(files, 'thing')
  if (typeof packed === 'string') throw new Error(packed)
  expect(packed).toEqual(packedFiles(files, 'thing'))
  const read = filesOfArchive(packed)
  expect(read.kind === 'files' && [...read.files]).toEqual([...files])
})

test('says which path is too long', () => {
  expect(packedFiles(new Map([['p'.repeat(100), file('')]]), 'thing')).toContain('too long')
})
