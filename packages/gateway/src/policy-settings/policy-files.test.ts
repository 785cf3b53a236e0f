import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PolicyDocument } from '@countersign/contract'
import { homePaths } from '@countersign/contract/node'
import { beforeEach, expect, test } from 'vitest'
import { requireFilesInStep, writePolicyFiles } from './policy-files.ts'

const paths = () => homePaths({ COUNTERSIGN_HOME: mkdtempSync(join(tmpdir(), 'policy-files-')) }, 'linux')
let at: ReturnType<typeof paths>
const documentOf = (files: PolicyDocument['files']): PolicyDocument => ({
  autonomy: 'medium',
  files,
  passkeyTools: [],
})
const mine = { name: 'mine.cedar', text: 'permit (principal, action, resource);' }
const all = { autonomy: false, passkeyTools: false }

beforeEach(() => {
  at = paths()
  writePolicyFiles(at, documentOf([mine]), all)
})

test('files that are as they were written are in step', () => {
  expect(() => requireFilesInStep(at, documentOf([mine]))).not.toThrow()
})

test.each<[string, () => void]>([
  ['added', () => writeFileSync(join(at.policies, 'forbid.cedar'), 'forbid (principal, action, resource);')],
  ['changed', () => writeFileSync(join(at.policies, mine.name), 'forbid (principal, action, resource);')],
  ['renamed', () => writePolicyFiles(at, documentOf([{ ...mine, name: 'other.cedar' }]), all)],
  ['taken away', () => writePolicyFiles(at, documentOf([]), all)],
])('a rule that was %s by hand is not written over', (_how, change) => {
  change()
  const before = readdirSync(at.policies).map((name) => readFileSync(join(at.policies, name), 'utf8'))
  expect(() => requireFilesInStep(at, documentOf([mine]))).toThrow('changed by hand')
  expect(readdirSync(at.policies).map((name) => readFileSync(join(at.policies, name), 'utf8'))).toEqual(
    before,
  )
})
