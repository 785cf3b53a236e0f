import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { fileInfo } from './file-info.ts'
import { mimeTypeOf } from './mime-type.ts'
import { searchFiles } from './search-files.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())
mkdirSync(join(workspace.root, 'notes'))
writeFileSync(join(workspace.root, 'notes/list.md'), 'milk\nbread\n')

describe('search_files', () => {
  it('gives names and lines', async () => {
    expect((await workspace.use(searchFiles, { query: 'bread' })).result.text).toBe('notes/list.md:2: bread')
    expect((await workspace.use(searchFiles, { query: 'notes', in: 'names' })).result.text).toBe(
      'notes/\nnotes/list.md',
    )
    expect((await workspace.use(searchFiles, { query: 'nothing' })).result.text).toBe('Nothing was found.')
  })

  it('says when there may be more', async () => {
    const { result } = await workspace.use(searchFiles, { query: 'list', maxResults: 1, path: 'notes' })
    expect(result.text).not.toContain('more')
    const cut = await workspace.use(searchFiles, { query: 'e', maxResults: 1 })
    expect(cut.result.text).toContain('there may be more')
  })

  it('gives at most a hundred, and fifty when nothing is said', () => {
    expect(parseArgs(searchFiles, { query: 'x', maxResults: 5000 })).toMatchObject({
      args: { maxResults: 100 },
    })
    expect(parseArgs(searchFiles, { query: 'x' })).toMatchObject({ args: { maxResults: 50 } })
    expect(parseArgs(searchFiles, { query: 'x', maxResults: 0 })).toMatchObject({ kind: 'invalid' })
  })

  it('is a look inside, and refuses a file, a missing folder and the host', async () => {
    expect(await workspace.resolve(searchFiles, { query: 'x' })).toMatchObject({
      effects: [{ verb: 'read', scope: 'inside' }],
    })
    for (const path of ['notes/list.md', 'missing', '/etc'])
      expect(await workspace.resolve(searchFiles, { query: 'x', path })).toMatchObject({ kind: 'invalid' })
  })
})

describe('file_info', () => {
  it('tells about a file and a folder', async () => {
    const { result } = await workspace.use(fileInfo, { path: 'notes/list.md' })
    expect(result.text).toContain('size: 11 bytes\nmime: text/markdown\nmodified: 20')
    expect(result.text).toContain(`sha256: ${sha256Hex('milk\nbread\n')}`)
    expect((await workspace.use(fileInfo, { path: 'notes' })).result.text).toContain('type: directory')
  })

  it('refuses what is missing and the host', async () => {
    for (const path of ['missing', '/etc/passwd'])
      expect(await workspace.resolve(fileInfo, { path })).toMatchObject({ kind: 'invalid' })
  })
})

describe('the guess of a media type', () => {
  it.each([
    ['a.PNG', 'image/png'],
    ['a.tar.gz', 'application/gzip'],
    ['README', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
  ])('of %s is %s', (path, type) => expect(mimeTypeOf(path)).toBe(type))
})
