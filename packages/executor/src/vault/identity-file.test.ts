import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileIdentity } from './identity-file.ts'
import { identityContract } from './testing/identity-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-identity-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const freshPath = () => join(folder, String(count++), 'vault.key')

identityContract('a file', () => {
  const path = freshPath()
  return { open: () => fileIdentity(path) }
})

test('writes for its owner only, and refuses a file that others can read', async () => {
  const path = freshPath()
  await fileIdentity(path).write('AGE-SECRET-KEY-1X')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chmodSync(path, 0o640)
  await expect(fileIdentity(path).read()).rejects.toMatchObject({
    code: 'config_invalid',
    next: expect.stringContaining(`chmod 600 ${path}`),
  })
})
