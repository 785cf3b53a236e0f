import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, describe, expect, it } from 'vitest'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { restoreFile } from './restore-file.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())

describe('restore_file', () => {
  it('refuses when the file is no longer what the write left', async () => {
    writeFileSync(join(workspace.root, 'a.txt'), 'later')
    const args = { path: 'a.txt', expected: sha256Hex('written'), content: null }
    expect(await workspace.resolve(restoreFile, args)).toMatchObject({ kind: 'invalid' })
    expect(await workspace.resolve(restoreFile, { ...args, expected: 'absent' })).toMatchObject({
      kind: 'invalid',
    })
    expect(await workspace.resolve(restoreFile, { ...args, expected: sha256Hex('later') })).toMatchObject({
      resources: [{ op: 'delete' }],
    })
  })
})
