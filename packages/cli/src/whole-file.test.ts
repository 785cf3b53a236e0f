import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeWhole } from './whole-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-whole-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* pieces(fails: boolean): AsyncGenerator<string> {
  yield 'one\n'
  if (fails) throw new Error('The gateway went away.')
  yield 'two\n'
}

test('what was stopped half way leaves what was there before', async () => {
  const path = join(folder, 'ledger.jsonl')
  writeFileSync(path, 'before\n')
  await expect(writeWhole(path, pieces(true))).rejects.toThrow('went away')
  expect(readFileSync(path, 'utf8')).toBe('before\n')
  expect(readdirSync(folder)).toEqual(['ledger.jsonl'])
  await writeWhole(path, pieces(false))
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
