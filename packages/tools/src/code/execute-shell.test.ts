import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { executeShell } from './execute-shell.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())

describe('execute_shell', () => {
  it('runs a command in its folder and tells both streams and the end', async () => {
    mkdirSync(join(workspace.root, 'folder'))
    const { result } = await workspace.use(executeShell, {
      command: 'pwd; echo bad >&2; exit 3',
      cwd: 'folder',
    })
    expect(result).toMatchObject({ ok: false, undo: null })
    expect(result.text.replace(/\d+ ms/, 'N ms')).toBe(
      `${join(workspace.root, 'folder')}\n\n[stderr]\nbad\n\n[exit 3, N ms]`,
    )
    expect((await workspace.use(executeShell, { command: 'true' })).result.ok).toBe(true)
  })

  it('binds the shell, the programs and the scripts that it can see', async () => {
    writeFileSync(join(workspace.root, 'job.sh'), 'true')
    const { resources } = await workspace.use(executeShell, {
      command: 'sort job.sh > out.txt && ./job.sh || true',
    })
    expect(resources).toMatchObject([
      { type: 'exec', path: '/bin/bash', uninspectable: true, argv: ['bash', '-c', expect.any(String)] },
      { type: 'exec', argv: ['sort'], uninspectable: false },
      { type: 'file', path: 'job.sh' },
      { type: 'file', path: 'job.sh' },
    ])
  })

  it('refuses a folder outside, and text that hides something', async () => {
    expect(await workspace.resolve(executeShell, { command: 'ls', cwd: '/etc' })).toMatchObject({
      kind: 'invalid',
    })
    expect(await workspace.resolve(executeShell, { command: 'ls', cwd: 'missing' })).toMatchObject({
      kind: 'invalid',
    })
    for (const command of ['', 'ls\0', 'ls \u202e', 'ls\u200b', 'l\u001b[2Js']) {
      expect(parseArgs(executeShell, { command })).toMatchObject({ kind: 'invalid' })
    }
    expect(parseArgs(executeShell, { command: 'a\n\tb' })).toMatchObject({ kind: 'args' })
    expect(parseArgs(executeShell, { command: 'ls', timeout_ms: 600_001 })).toMatchObject({ kind: 'invalid' })
  })
})
