import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readTree, treeHash, treeProblem } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTreeStore, type TreeStore } from './tree-store.ts'

let root: string
let source: string
let store: TreeStore

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trees-'))
  source = join(root, 'source')
  store = createTreeStore(join(root, 'trees'), { files: 10, bytes: 1000, fileBytes: 500 })
  put('index.js', 'console.log(1)')
  put('lib/a.js', 'a', true)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string, executable = false): void {
  mkdirSync(dirname(join(source, path)), { recursive: true })
  writeFileSync(join(source, path), text)
  chmodSync(join(source, path), executable ? 0o755 : 0o644)
}

async function hashOf(): Promise<string> {
  const found = await readTree(source)
  return found.kind === 'tree' ? found.sha256 : found.reason
}

describe('a tree of files', () => {
  it('is kept by its hash and read back', async () => {
    const hash = await hashOf()
    expect(await store.keepFolder(source, hash)).toMatchObject({ kind: 'kept', sha256: hash })
    expect(await store.read(hash, 'lib/a.js')).toEqual(Buffer.from('a'))
    expect(await store.folder(hash)).toMatchObject({ kind: 'folder' })
  })

  it('has one hash, whether it comes as a folder or as bytes', async () => {
    const files = [
      { path: 'lib/a.js', executable: true, bytes: Buffer.from('a') },
      { path: 'index.js', executable: false, bytes: Buffer.from('console.log(1)') },
    ]
    expect(await store.keepFiles(files, await hashOf())).toMatchObject({ kind: 'kept' })
  })

  it.each([
    ['contents', () => put('index.js', 'console.log(2)')],
    ['a mode', () => chmodSync(join(source, 'index.js'), 0o755)],
    ['a path', () => put('other.js', 'x')],
  ])('has another hash with other %s, and is refused by the old one', async (_what, change) => {
    const hash = await hashOf()
    change()
    expect(await hashOf()).not.toBe(hash)
    expect(await store.keepFolder(source, hash)).toMatchObject({ kind: 'refused' })
    expect(existsSync(join(root, 'trees'))).toBe(false)
  })

  it.each([
    ['a link', () => symlinkSync('/etc/passwd', join(source, 'link'))],
    ['a link to a folder', () => symlinkSync('/etc', join(source, 'link'))],
    ['a pipe', () => execFileSync('mkfifo', [join(source, 'pipe')])],
    ['too many files', () => Array.from({ length: 12 }, (_, index) => put(`f${index}`, 'x'))],
    ['too large a file', () => put('large', 'x'.repeat(501))],
    ['too much', () => ['a', 'b', 'c'].map((name) => put(name, 'x'.repeat(400)))],
    ['names that differ in case', () => [put('readme', 'x'), put('README', 'x')]],
    ['names that differ in spelling', () => [put('caf\u00e9', 'x'), put('cafe\u0301', 'x')]],
    ['a name that turns the line around', () => put('a\u202egpj.js', 'x')],
  ])('is refused with %s', async (_what, change) => {
    change()
    expect(await store.keepFolder(source, '0'.repeat(64))).toMatchObject({ kind: 'refused' })
  })

  it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', './a', 'a\\b', 'C:x', '', 'a\0b'])(
    'is refused with the path %j',
    async (path) => {
      const files = [{ path, size: 1, sha256: '0'.repeat(64), executable: false }]
      expect(treeProblem(files)).toBeDefined()
      const given = [{ path, executable: false, bytes: Buffer.from('x') }]
      expect(await store.keepFiles(given, treeHash(files))).toMatchObject({ kind: 'refused' })
    },
  )

  it('is not read when somebody changed it, or put a file beside it', async () => {
    const hash = await hashOf()
    await store.keepFolder(source, hash)
    const kept = join(root, 'trees', hash, 'files')
    writeFileSync(join(kept, 'beside.js'), 'x')
    expect(await store.folder(hash)).toMatchObject({ kind: 'refused' })
    rmSync(join(kept, 'beside.js'))
    expect(await store.folder(hash)).toMatchObject({ kind: 'folder' })
    rmSync(join(kept, 'index.js'))
    writeFileSync(join(kept, 'index.js'), 'console.log(3)')
    expect(await store.folder(hash)).toMatchObject({ kind: 'refused' })
    expect(await store.read(hash, 'index.js')).toMatchObject({ kind: 'refused' })
    expect(await store.keepFolder(source, hash)).toMatchObject({ kind: 'kept' })
    expect(await store.folder(hash)).toMatchObject({ kind: 'folder' })
  })

  it('goes when nothing names it', async () => {
    const hash = await hashOf()
    await store.keepFolder(source, hash)
    await store.retain([])
    expect(readdirSync(join(root, 'trees'))).toEqual([])
    expect(await store.read(hash, 'index.js')).toMatchObject({ kind: 'refused' })
  })
})
