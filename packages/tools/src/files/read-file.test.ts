import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { readFile } from './read-file.ts'

const workspace = createBareWorkspace()
const outside = `${workspace.root}.outside`
afterAll(() => {
  workspace.remove()
  rmSync(outside, { force: true })
})

describe('read_file', () => {
  it('reads a file and binds its content', async () => {
    writeFileSync(join(workspace.root, 'a.txt'), 'hello')
    const { resources, result } = await workspace.use(readFile, { path: './a.txt' })
    expect(result).toMatchObject({ ok: true, text: 'hello', undo: null })
    expect(resources).toMatchObject([{ type: 'file', root: 'workspace', path: 'a.txt', op: 'read' }])
  })

  it('says when it gives only the beginning', async () => {
    writeFileSync(join(workspace.root, 'long.txt'), 'x'.repeat(100))
    const { result } = await workspace.use(readFile, { path: 'long.txt', max_bytes: 10 })
    expect(result.text).toBe(`${'x'.repeat(10)}\n[10 of 100 bytes]`)
  })

  it('is inside for the workspace and a boundary for the host', async () => {
    writeFileSync(join(workspace.root, 'b.txt'), '')
    expect(await workspace.resolve(readFile, { path: 'b.txt' })).toMatchObject({
      effects: [{ scope: 'inside' }],
    })
    writeFileSync(outside, '')
    const found = await workspace.resolve(readFile, { path: outside })
    expect(found).toMatchObject({ effects: [{ scope: 'boundary' }], resources: [{ root: 'host' }] })
  })

  it('refuses what is not there, a folder, and a way out', async () => {
    mkdirSync(join(workspace.root, 'folder'))
    for (const path of ['missing.txt', 'folder', `../${tmpdir()}`]) {
      expect(await workspace.resolve(readFile, { path })).toMatchObject({ kind: 'invalid' })
    }
  })

  it('refuses a path with invisible or decomposed characters', () => {
    for (const path of ['', 'a\u202etxt', 'a\u200b', 'a\0', 'a\nb', 'e\u0301', 'x'.repeat(5000)]) {
      expect(parseArgs(readFile, { path })).toMatchObject({ kind: 'invalid' })
    }
    expect(parseArgs(readFile, { path: 'é ü 日本.txt' })).toMatchObject({ kind: 'args' })
  })

  it('refuses an argument that it does not know', () => {
    expect(parseArgs(readFile, { path: 'a', follow: true })).toMatchObject({ kind: 'invalid' })
  })
})
