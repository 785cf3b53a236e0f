import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { splitAudio } from '../audio/split-audio.ts'
import type { ToolCapabilities } from '../capabilities.ts'
import { type ExecutorTool, parseArgs, type ToolDefinition } from '../definition.ts'
import { type BareWorkspace, createBareWorkspace } from '../testing/bare-workspace.ts'
import { restoreFiles } from './restore-files.ts'

let workspace: BareWorkspace
beforeEach(() => {
  workspace = createBareWorkspace()
})
afterEach(() => workspace.remove())

/** Runs it on a disk that fails at the write to this path. */
async function useFailing(tool: ToolDefinition, args: JsonObject, path: string): Promise<ToolResult> {
  const parsed = parseArgs(tool, args)
  if (parsed.kind === 'invalid') throw new Error(parsed.problems.join())
  const { files, ...others } = workspace.capabilitiesFor([])
  const made = {
    kind: 'done' as const,
    facts: { seconds: 9, parts: 3 },
    files: ['one', 'two', 'three'].map((part) => Buffer.from(part)),
  }
  const capabilities: ToolCapabilities = {
    ...others,
    documents: {
      run: async ({ form }) => ({ ...made, facts: form.parse(made.facts) }),
    },
    files: {
      ...files,
      write: async (at, bytes, options) =>
        at.path === path ? { kind: 'failed', reason: 'The disk is full.' } : files.write(at, bytes, options),
    },
  }
  return (tool as ExecutorTool).run(parsed.args, capabilities, new AbortController().signal)
}

async function undo({ undo: call }: ToolResult): Promise<ToolResult> {
  if (call === null) throw new Error('no undo')
  return (await workspace.use(restoreFiles, JSON.parse(call.args) as JsonObject)).result
}

const args = { path: 'tone.wav', splitPoints: [2, 5], outputFolder: 'parts' }

describe('a call that fails midway', () => {
  it('can take back the parts of a sound that were written', async () => {
    writeFileSync(join(workspace.root, 'tone.wav'), 'sound')
    const result = await useFailing(splitAudio, args, 'parts/tone-part03.wav')
    expect(result).toMatchObject({ ok: false, undo: { tool: 'restore_files' } })
    expect(readdirSync(join(workspace.root, 'parts'))).toHaveLength(2)
    expect(await undo(result)).toMatchObject({ ok: true, summary: 'Put back 2 files' })
    expect(existsSync(join(workspace.root, 'parts'))).toBe(false)
  })

  it('has nothing to take back where nothing was written', async () => {
    expect(await useFailing(splitAudio, args, 'parts/tone-part01.wav')).toMatchObject({
      ok: false,
      undo: null,
    })
  })

  it('can make again what an undo had put back', async () => {
    const names = ['a.txt', 'b.txt']
    for (const name of names) writeFileSync(join(workspace.root, name), 'after')
    const files = names.map((path) => ({
      path,
      expected: sha256Hex('after'),
      content: Buffer.from('before').toString('base64'),
    }))
    const result = await useFailing(restoreFiles, { files }, 'a.txt')
    expect(result.text).toBe('The disk is full. 1 of 2 files were put back before it.')
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('before')
    expect(await undo(result)).toMatchObject({ ok: true, summary: 'Put back 1 file' })
    expect(readFileSync(join(workspace.root, 'b.txt'), 'utf8')).toBe('after')
  })
})
