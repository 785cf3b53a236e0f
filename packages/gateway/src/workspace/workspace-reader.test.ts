import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkspaceFilePath } from '@countersign/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspaceReader, type WorkspaceReader } from './workspace-reader.ts'

let folder: string
let reader: WorkspaceReader
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'reader-')))
  mkdirSync(join(folder, 'work/sub/deep'), { recursive: true })
  mkdirSync(join(folder, 'beside'))
  writeFileSync(join(folder, 'beside/secret.txt'), 'secret')
  writeFileSync(join(folder, 'work/sub/a.txt'), 'hello')
  writeFileSync(join(folder, 'work/10.txt'), '')
  writeFileSync(join(folder, 'work/9.txt'), '')
  symlinkSync(join(folder, 'beside'), join(folder, 'work/out'))
  symlinkSync(join(folder, 'beside/secret.txt'), join(folder, 'work/out.txt'))
  symlinkSync(join(folder, 'work/sub'), join(folder, 'work/in'))
  reader = createWorkspaceReader(join(folder, 'work'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a folder has its folders first and its names in order, and a link is told as a link', async () => {
  const { entries, more } = await reader.folder('.')
  expect(more).toBe(false)
  expect(entries.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'folder sub',
    'file 9.txt',
    'file 10.txt',
    'link in',
    'link out',
    'link out.txt',
  ])
  expect((await reader.folder('sub')).entries.map(({ path, size }) => [path, size])).toEqual([
    ['sub/deep', 0],
    ['sub/a.txt', 5],
  ])
})

test('a file comes in parts, which belong to one state of it', async () => {
  const [first, second] = [await reader.part('sub/a.txt', 0, 3), await reader.part('sub/a.txt', 3, 100)]
  expect(Buffer.from(first.base64 + second.base64, 'base64').toString()).toBe('hello')
  expect([first.size, second.offset, second.version === first.version]).toEqual([5, 3, true])
  expect((await reader.part('sub/a.txt', 99, 3)).base64).toBe('')
})

test.each(['out', 'out/secret.txt', 'out.txt', 'in', 'in/a.txt'])(
  '%s is a link and is not followed',
  async (path) => {
    await expect(reader.folder(path)).rejects.toThrow()
    await expect(reader.part(path, 0, 10)).rejects.toThrow()
  },
)

test.each([
  '..',
  '../beside/secret.txt',
  'sub/../../beside',
  '/etc/passwd',
  'sub//a.txt',
  './sub',
  'a\0b',
  'sub\\..',
  '',
  'a\ud800',
])('%s is no path of the workspace', (path) => {
  expect(WorkspaceFilePath.safeParse(path).success).toBe(false)
})

test('what is there not, and what is no file, is refused in words', async () => {
  await expect(reader.part('none', 0, 1)).rejects.toThrow('none does not exist.')
  await expect(reader.part('sub', 0, 1)).rejects.toThrow('sub is not a file.')
  await expect(reader.folder('sub/a.txt')).rejects.toThrow('is no folder')
})
