import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, largestUndo, type ToolResult } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { copyFile } from './copy-file.ts'
import { createFolder } from './create-folder.ts'
import { deleteFile } from './delete-file.ts'
import { filesTools } from './index.ts'
import { moveFile } from './move-file.ts'
import { writeFile } from './write-file.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())
const at = (path: string) => join(workspace.root, path)

/** Every path with its content and mode. */
function state(): Record<string, string> {
  const paths = readdirSync(workspace.root, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(
    paths.map((path) => {
      const stat = statSync(at(path))
      return [path, stat.isFile() ? `${stat.mode & 0o777} ${readFileSync(at(path), 'base64')}` : 'folder']
    }),
  )
}

async function undo({ undo: call }: ToolResult): Promise<ToolResult> {
  const tool = filesTools.find(({ name }) => name === call?.tool)
  if (!tool || !call) throw new Error('no undo')
  return (await workspace.use(tool, JSON.parse(call.args) as JsonObject)).result
}

const tierless = { reversible: true, scope: 'inside', outward: false, leaves: [] }

describe('a change of files', () => {
  it.each([
    ['delete_file', deleteFile, { path: 'kept/run.sh' }],
    ['copy_file onto nothing', copyFile, { source: 'a.bin', destination: 'x/y/b.bin' }],
    ['copy_file onto a file', copyFile, { source: 'a.bin', destination: 'kept/run.sh' }],
    ['move_file of a file', moveFile, { source: 'a.bin', destination: 'kept/b.bin' }],
    ['move_file of a folder', moveFile, { source: 'kept', destination: 'moved' }],
    ['create_folder', createFolder, { path: 'n/e/w' }],
    ['write_file in new folders', writeFile, { path: 'n/e/w/file', content: 'x' }],
  ])(
    'by %s is reversible, and undone leaves all as it was; the undo can be undone',
    async (_, tool, args) => {
      mkdirSync(at('kept'), { recursive: true })
      writeFileSync(at('kept/run.sh'), 'old')
      chmodSync(at('kept/run.sh'), 0o755)
      writeFileSync(at('a.bin'), Buffer.from([0, 255]))
      const found = await workspace.resolve(tool, args)
      expect(found).toMatchObject({ kind: 'found' })
      if (found.kind !== 'found') return
      for (const effect of found.effects) expect(effect).toMatchObject(tierless)
      const before = state()
      const { result } = await workspace.use(tool, args)
      expect(result.ok).toBe(true)
      const after = state()
      expect(after).not.toEqual(before)
      const undone = await undo(result)
      expect(state()).toEqual(before)
      const again = await undo(undone)
      expect(state()).toEqual(after)
      await undo(again)
      expect(state()).toEqual(before)
    },
  )

  it('that cannot be carried in an undo counts as irreversible', async () => {
    writeFileSync(at('small.bin'), Buffer.alloc(largestUndo))
    writeFileSync(at('large.bin'), Buffer.alloc(largestUndo + 1))
    const irreversible = { effects: expect.arrayContaining([expect.objectContaining({ reversible: false })]) }
    expect(await workspace.resolve(deleteFile, { path: 'large.bin' })).toMatchObject(irreversible)
    const onto = (destination: string) => workspace.resolve(copyFile, { source: 'small.bin', destination })
    expect(await onto('large.bin')).toMatchObject(irreversible)
    expect(await onto('small2.bin')).not.toMatchObject(irreversible)
    const { result } = await workspace.use(deleteFile, { path: 'large.bin' })
    expect(result).toMatchObject({ ok: true, undo: null })
    expect(existsSync(at('large.bin'))).toBe(false)
  })

  it('in a repository crosses the boundary, and a file that only looks alike does not', async () => {
    mkdirSync(at('repo/.git/hooks'), { recursive: true })
    writeFileSync(at('repo/.git/config'), '')
    const scope = async (tool: typeof writeFile, args: JsonObject) => {
      const found = await workspace.resolve(tool, args)
      return found.kind === 'found' ? found.effects.map((effect) => effect.scope).at(-1) : found.reason
    }
    expect(await scope(writeFile, { path: 'repo/.git/hooks/post-commit', content: '' })).toBe('boundary')
    expect(await scope(writeFile, { path: 'repo/.GIT/x', content: '' })).toBe('boundary')
    expect(await scope(deleteFile, { path: 'repo/.git/config' })).toBe('boundary')
    expect(await scope(copyFile, { source: 'a.bin', destination: 'repo/.git/config' })).toBe('boundary')
    expect(await scope(moveFile, { source: 'a.bin', destination: 'repo/.git/index' })).toBe('boundary')
    expect(await scope(writeFile, { path: 'repo/.gitignore', content: '' })).toBe('inside')
  })

  it('refuses folders, what is missing or taken, and paths outside', async () => {
    mkdirSync(at('folder/sub'), { recursive: true })
    writeFileSync(at('file'), '')
    const refused: [typeof writeFile, JsonObject][] = [
      [deleteFile, { path: 'folder' }],
      [deleteFile, { path: 'missing' }],
      [deleteFile, { path: '/etc/passwd' }],
      [copyFile, { source: 'folder', destination: 'copy' }],
      [copyFile, { source: 'missing', destination: 'copy' }],
      [copyFile, { source: '/etc/passwd', destination: 'copy' }],
      [copyFile, { source: 'file', destination: '../copy' }],
      [copyFile, { source: 'file', destination: 'folder' }],
      [copyFile, { source: 'file', destination: './file' }],
      [moveFile, { source: 'missing', destination: 'x' }],
      [moveFile, { source: 'file', destination: 'folder' }],
      [moveFile, { source: 'file', destination: 'no/folder/x' }],
      [moveFile, { source: 'folder', destination: 'folder/sub/x' }],
      [moveFile, { source: '.', destination: 'x' }],
      [moveFile, { source: 'file', destination: '/tmp/x' }],
      [createFolder, { path: 'folder' }],
      [createFolder, { path: '/tmp/x' }],
    ]
    for (const [tool, args] of refused) {
      expect(await workspace.resolve(tool, args), `${tool.name} ${JSON.stringify(args)}`).toMatchObject({
        kind: 'invalid',
      })
    }
  })
})
