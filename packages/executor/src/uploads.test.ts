import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUploads } from './uploads.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uploads-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a content is given out only where its hash is the one that was approved', async () => {
  const uploads = createUploads(folder)
  const hash = sha256Hex('approved')
  writeFileSync(join(folder, hash), 'approved')
  expect(await uploads.read(hash)).toEqual(Buffer.from('approved'))
  writeFileSync(join(folder, hash), 'something else')
  expect(await uploads.read(hash)).toMatchObject({ reason: expect.stringContaining('not whole') })
  await uploads.drop(hash)
  expect(readdirSync(folder)).toEqual([])
  expect(await uploads.read(hash)).toMatchObject({ reason: expect.stringContaining('no longer here') })
})

test('neither a link nor a path is followed', async () => {
  const uploads = createUploads(join(folder))
  const hash = sha256Hex('secret')
  writeFileSync(join(folder, 'secret'), 'secret')
  symlinkSync(join(folder, 'secret'), join(folder, hash))
  expect(await uploads.read(hash)).toHaveProperty('reason')
  expect(await uploads.read('../secret')).toHaveProperty('reason')
  await uploads.drop('secret')
  expect(readdirSync(folder)).toContain('secret')
})
