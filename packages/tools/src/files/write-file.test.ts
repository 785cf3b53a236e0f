import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { createBareWorkspace } from '../testing/bare-hands.ts'
import { largestUndo } from './place.ts'
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

  it('refuses a path outside the workspace', async () => {
    for (const path of ['/etc/passwd', '../x', '.']) {
      expect(await workspace.resolve(writeFile, { path, content: '' })).toMatchObject({ kind: 'invalid' })
    }
  })
})
