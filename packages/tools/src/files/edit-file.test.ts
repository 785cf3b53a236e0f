import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, largestUndo } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { editFile } from './edit-file.ts'
import { restoreFile } from './restore-file.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())
const at = (path: string) => join(workspace.root, path)
const put = (path: string, content: string | Uint8Array) => writeFileSync(at(path), content)
const read = (path: string) => readFileSync(at(path), 'utf8')
const reasonOf = async (args: JsonObject) => {
  const found = await workspace.resolve(editFile, args)
  return found.kind === 'invalid' ? found.reason : 'found'
}
/** Beforehand nothing is told of what the file says. */
const failureOf = async (args: JsonObject) => {
  expect(await reasonOf(args)).toBe('found')
  const { result } = await workspace.use(editFile, args)
  return result.ok ? 'done' : result.text
}

describe('edit_file', () => {
  it('changes the one place and keeps every other byte, and its undo brings the file back', async () => {
    put('a.ts', '\uFEFFone\r\ntwo ü\r\nthree')
    const { resources, result } = await workspace.use(editFile, {
      path: 'a.ts',
      oldText: 'two ü',
      newText: '2\n$& $1',
    })
    expect(read('a.ts')).toBe('\uFEFFone\r\n2\n$& $1\r\nthree')
    expect(resources).toMatchObject([
      { op: 'read', content: expect.any(String) },
      { op: 'write', content: expect.any(String) },
    ])
    await workspace.use(restoreFile, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect(read('a.ts')).toBe('\uFEFFone\r\ntwo ü\r\nthree')
  })

  it('refuses a text that is missing or there twice, unless all are meant', async () => {
    put('b.txt', 'x y x\r\nend')
    expect(await failureOf({ path: 'b.txt', oldText: 'z', newText: '' })).toContain('does not occur in b.txt')
    expect(await failureOf({ path: 'b.txt', oldText: 'x\nend', newText: '' })).toContain('\\r\\n')
    expect(await failureOf({ path: 'b.txt', oldText: 'x', newText: '' })).toContain('occurs 2 times')
    await workspace.use(editFile, { path: 'b.txt', oldText: 'x', newText: 'w', all: true })
    expect(read('b.txt')).toBe('w y w\r\nend')
    expect(parseArgs(editFile, { path: 'b.txt', oldText: 'x', newText: 'x' }).kind).toBe('invalid')
    expect(parseArgs(editFile, { path: 'b.txt', oldText: '', newText: 'x' }).kind).toBe('invalid')
  })

  it('refuses folders, what is not there, what is no text, and what is or becomes too large', async () => {
    mkdirSync(at('folder'))
    put('large.txt', 'a'.repeat(largestUndo + 1))
    put('binary', Uint8Array.from([0xff, 0x61, 0xfe]))
    put('wide.txt', 'a'.repeat(largestUndo / 2))
    const edit = { oldText: 'a', newText: 'b' }
    expect(await reasonOf({ path: 'folder', ...edit })).toContain('is a directory')
    expect(await reasonOf({ path: 'none', ...edit })).toContain('write_file')
    expect(await reasonOf({ path: 'large.txt', ...edit })).toContain('larger than')
    expect(
      await failureOf({ path: 'wide.txt', oldText: 'a', newText: 'b'.repeat(100), all: true }),
    ).toContain('would be larger')
    expect((await workspace.use(editFile, { path: 'binary', ...edit })).result).toMatchObject({ ok: false })
    expect([...readFileSync(at('binary'))]).toEqual([0xff, 0x61, 0xfe])
  })

  it('shows what goes and what comes, and crosses the boundary where a program of the host runs it', async () => {
    const args = { path: 'a.ts', oldText: 'a\nb', newText: 'c' }
    expect(editFile.preview(args)).toMatchObject({ language: 'diff', code: '-a\n-b\n+c' })
    put('.envrc', 'one')
    const found = await workspace.resolve(editFile, { path: '.envrc', oldText: 'one', newText: 'two' })
    expect(found).toMatchObject({ effects: [{ verb: 'read' }, { verb: 'write', scope: 'boundary' }] })
  })
})
