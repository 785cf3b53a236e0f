import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkspaceTexts, workspaceTextLimits } from './workspace-texts.ts'

let workspace: string
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'texts-'))
})
afterEach(() => rmSync(workspace, { recursive: true }))

const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(workspace, path)), { recursive: true })
  writeFileSync(join(workspace, path), content)
}
const paths = async () => (await createWorkspaceTexts(workspace).list()).map(({ path }) => path).toSorted()

test('lists texts in folders, and nothing that is hidden, foreign, linked, secret, empty or too large', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'))
  writeFileSync(join(outside, 'diary.txt'), 'not yours')
  put('a.md', 'one')
  put('deep/er/b.txt', 'two')
  put('.hidden/c.txt', 'three')
  put('.secret', 'four')
  put('node_modules/pack/readme.md', 'five')
  put('id_rsa', 'a key')
  put('empty.txt', '')
  put('large.txt', 'x'.repeat(workspaceTextLimits.bytes + 1))
  symlinkSync(outside, join(workspace, 'away'))
  symlinkSync(join(outside, 'diary.txt'), join(workspace, 'diary.txt'))
  expect(await paths()).toEqual(['a.md', 'deep/er/b.txt'])
  const texts = createWorkspaceTexts(workspace)
  for (const path of ['diary.txt', 'away/diary.txt', '../x', 'gone.txt'])
    expect(await texts.read(path), path).toBeUndefined()
  rmSync(outside, { recursive: true })
})

test('reads a text with its version, which another content changes, and takes bytes for no text', async () => {
  put('a.md', 'Grüße')
  put('photo.raw', Uint8Array.of(0xff, 0xfe, 0x41))
  put('zero.bin', Uint8Array.of(0x41, 0, 0x41))
  const texts = createWorkspaceTexts(workspace)
  const read = await texts.read('a.md')
  expect(read?.text).toBe('Grüße')
  expect(await texts.versionOf('a.md')).toBe(read?.version)
  expect((await texts.list()).find(({ path }) => path === 'a.md')?.version).toBe(read?.version)
  for (const path of ['photo.raw', 'zero.bin']) expect((await texts.read(path))?.text, path).toBeNull()
  put('a.md', 'Another text')
  expect(await texts.versionOf('a.md')).not.toBe(read?.version)
})

test('is bounded in files and depth', async () => {
  for (let each = 0; each < 5; each += 1) put(`${each}.txt`, 'x')
  put('a/b/c/d.txt', 'x')
  const few = createWorkspaceTexts(workspace, { ...workspaceTextLimits, files: 3 })
  expect(await few.list()).toHaveLength(3)
  const flat = createWorkspaceTexts(workspace, { ...workspaceTextLimits, depth: 1 })
  expect((await flat.list()).map(({ path }) => path)).not.toContain('a/b/c/d.txt')
})
