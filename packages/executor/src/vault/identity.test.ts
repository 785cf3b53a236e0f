import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CountersignError } from '@countersign/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type IdentityOptions, openIdentity, type ProbedStore } from './identity.ts'
import { fileIdentity } from './identity-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-identity-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function memoryKeyring(): ProbedStore & { problem: string | null } {
  let kept: string | null = null
  return {
    name: 'keyring',
    problem: null,
    async read() {
      if (this.problem !== null) throw new CountersignError('config_invalid', this.problem)
      return kept
    },
    async write(identity) {
      kept = identity
    },
    async probe() {
      return this.problem
    },
  }
}

const parts = (keyring: ProbedStore): IdentityOptions => ({
  record: join(folder, 'vault.json'),
  keyring,
  file: fileIdentity(join(folder, 'vault.key')),
})

test('takes the keyring where one works, and a file where none does', async () => {
  const keyring = memoryKeyring()
  expect((await openIdentity(parts(keyring))).name).toBe('keyring')
  keyring.problem = 'no bus'
  expect((await openIdentity(parts(keyring))).name).toBe('file')
})

test('never goes on with a file once the key is in the keyring', async () => {
  const keyring = memoryKeyring()
  await (await openIdentity(parts(keyring))).write('AGE-SECRET-KEY-1X')
  keyring.problem = 'no bus'
  await expect(openIdentity(parts(keyring))).rejects.toMatchObject({
    message: expect.stringContaining('no bus'),
    next: expect.stringContaining('Unlock the keyring'),
  })
  keyring.problem = null
  expect(await (await openIdentity(parts(keyring))).read()).toBe('AGE-SECRET-KEY-1X')
})

test('stays with the file once the key is there, also when a keyring has come', async () => {
  const keyring = memoryKeyring()
  keyring.problem = 'no bus'
  await (await openIdentity(parts(keyring))).write('AGE-SECRET-KEY-1X')
  keyring.problem = null
  expect((await openIdentity(parts(keyring))).name).toBe('file')
  rmSync(join(folder, 'vault.json'))
  expect((await openIdentity(parts(keyring))).name).toBe('file')
})

test('does what the settings ask for, and refuses what they can no longer have', async () => {
  const keyring = memoryKeyring()
  keyring.problem = 'no bus'
  await expect(openIdentity({ ...parts(keyring), wanted: 'keyring' })).rejects.toThrow('no bus')
  keyring.problem = null
  const store = await openIdentity({ ...parts(keyring), wanted: 'file' })
  expect(store.name).toBe('file')
  await store.write('AGE-SECRET-KEY-1X')
  await expect(openIdentity({ ...parts(keyring), wanted: 'keyring' })).rejects.toThrow(
    'was put into the file',
  )
})

test('refuses a record that says nothing', async () => {
  writeFileSync(join(folder, 'vault.json'), '{"v":1,"store":"drawer"}')
  await expect(openIdentity(parts(memoryKeyring()))).rejects.toMatchObject({ code: 'config_invalid' })
})
