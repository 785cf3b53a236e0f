import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { largestUpload, largestUploadPart } from '@countersign/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUploadStore, type UploadStore } from './upload-store.ts'

let executor: string
let folder: string
let store: UploadStore
beforeEach(() => {
  executor = mkdtempSync(join(tmpdir(), 'uploads-'))
  folder = join(executor, 'uploads')
  store = createUploadStore({ beside: executor, clock: () => new Date() })
})
afterEach(() => rmSync(executor, { recursive: true, force: true }))

const name = 'a'.repeat(64)
const other = 'b'.repeat(64)

test('parts follow each other, and the first begins anew', async () => {
  await store.add(name, 0, Buffer.from('old'))
  expect(await store.add(name, 0, Buffer.from('one '))).toBe(4)
  expect(await store.add(name, 4, Buffer.from('two'))).toBe(7)
  expect(readFileSync(join(folder, name), 'utf8')).toBe('one two')
})

test('a part that leaves a gap or comes twice is refused, and so is one without a beginning', async () => {
  await store.add(name, 0, Buffer.from('one'))
  await expect(store.add(name, 9, Buffer.from('x'))).rejects.toThrow('missing')
  await expect(store.add(name, 2, Buffer.from('x'))).rejects.toThrow('missing')
  await expect(store.add(other, 3, Buffer.from('x'))).rejects.toThrow('missing')
  expect(readdirSync(folder)).toEqual([name])
})

test('neither a part nor a file may be too large', async () => {
  await expect(store.add(name, 0, Buffer.alloc(largestUploadPart + 1))).rejects.toThrow('at most')
  await expect(store.add(name, largestUpload, Buffer.alloc(1))).rejects.toThrow('at most')
})

test('what nothing became of goes after a day', async () => {
  await store.add(name, 0, Buffer.from('old'))
  const before = new Date(Date.now() - 25 * 60 * 60_000)
  utimesSync(join(folder, name), before, before)
  await store.add(other, 0, Buffer.from('new'))
  expect(readdirSync(folder)).toEqual([other])
})
