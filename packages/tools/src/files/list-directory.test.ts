import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { listDirectory } from './list-directory.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())

describe('list_directory', () => {
  it('lists the workspace when no path is given', async () => {
    mkdirSync(join(workspace.root, 'folder'))
    writeFileSync(join(workspace.root, 'a.txt'), 'abc')
    expect((await workspace.use(listDirectory, {})).result.text).toBe('a.txt (3)\nfolder/')
    expect((await workspace.use(listDirectory, { path: 'folder' })).result.text).toBe('(empty)')
  })

  it('refuses a file, a missing folder and the host', async () => {
    for (const path of ['a.txt', 'missing', '/etc', '..']) {
      expect(await workspace.resolve(listDirectory, { path })).toMatchObject({ kind: 'invalid' })
    }
  })
})
