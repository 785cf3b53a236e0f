import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, largestUndo } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { restoreFile } from './restore-file.ts'
import { writeFile } from './write-file.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())
const at = (path: string) => join(workspace.root, path)

describe('write_file', () => {
  it('makes a file that its undo removes', async () => {
    const { resources, result } = await workspace.use(writeFile, { path: 'deep/new.txt', content: 'ü' })
    expect(readFileSync(at('deep/new.txt'), 'utf8')).toBe('ü')
    expect(resources).toMatchObject([{ op: 'write', identity: 'absent', content: null }])
    await workspace.use(restoreFile, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect(existsSync(at('deep/new.txt'))).toBe(false)
  })

  it('replaces a file that its undo restores, and the undo can be undone', async () => {
    writeFileSync(at('old.txt'), Buffer.from([0, 255, 10]))
    const { result } = await workspace.use(writeFile, { path: 'old.txt', content: 'new' })
    expect(result.undo?.tool).toBe('restore_file')
    const restored = await workspace.use(restoreFile, JSON.parse(result.undo?.args ?? '') as JsonObject)
    expect([...readFileSync(at('old.txt'))]).toEqual([0, 255, 10])
    await workspace.use(restoreFile, JSON.parse(restored.result.undo?.args ?? '') as JsonObject)
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('new')
  })

  it('is reversible only while the old content fits in the undo', async () => {
    writeFileSync(at('small.bin'), Buffer.alloc(largestUndo))
    writeFileSync(at('large.bin'), Buffer.alloc(largestUndo + 1))
    const found = (path: string) => workspace.resolve(writeFile, { path, content: '' })
    expect(await found('small.bin')).toMatchObject({ effects: [{ reversible: true }] })
    expect(await found('large.bin')).toMatchObject({ effects: [{ reversible: false }] })
    expect((await workspace.use(writeFile, { path: 'large.bin', content: '' })).result.undo).toBeNull()
  })

  it('refuses a path that leads through a link, and names the real one', async () => {
    mkdirSync(at('real'))
    symlinkSync('real', at('alias'))
    expect(await workspace.resolve(writeFile, { path: 'alias/x.txt', content: '' })).toEqual({
      kind: 'invalid',
      reason: 'alias/x.txt leads through a symbolic link. It really is real/x.txt: use that.',
    })
  })

  it('crosses the boundary where a program of the host runs what is written, and says which', async () => {
    const effectOf = async (path: string, content = '') => {
      const found = await workspace.resolve(writeFile, { path, content })
      return found.kind === 'found' ? found.effects[0] : found
    }
    expect(await effectOf('p/.envrc')).toMatchObject({
      scope: 'boundary',
      object: 'p/.envrc (direnv or a tool like it runs it when somebody enters the folder)',
    })
    expect(await effectOf('p/Makefile')).toMatchObject({ scope: 'host-run' })
    expect(await effectOf('p/notes.md')).toMatchObject({ scope: 'inside', object: 'p/notes.md' })
    mkdirSync(at('bare'))
    writeFileSync(at('bare/HEAD'), '')
    expect(await effectOf('bare/description')).toMatchObject({ scope: 'boundary' })
  })

  it('lets the words of a package.json change', async () => {
    const scopeOf = async (content: object) => {
      const found = await workspace.resolve(writeFile, {
        path: 'pkg/package.json',
        content: JSON.stringify(content),
      })
      return found.kind === 'found' ? found.effects[0]?.scope : found
    }
    expect(await scopeOf({ name: 'a' })).toBe('inside')
    expect(await scopeOf({ name: 'a', scripts: { postinstall: 'x' } })).toBe('host-run')
    mkdirSync(at('pkg'))
    writeFileSync(at('pkg/package.json'), '{"name":"a","scripts":{"test":"x"}}')
    expect(await scopeOf({ name: 'b', scripts: { test: 'x' } })).toBe('inside')
    expect(await scopeOf({ name: 'b', scripts: { test: 'y' } })).toBe('host-run')
  })

  it('refuses a path outside the workspace', async () => {
    for (const path of ['/etc/passwd', '../x', '.']) {
      expect(await workspace.resolve(writeFile, { path, content: '' })).toMatchObject({ kind: 'invalid' })
    }
  })
})
