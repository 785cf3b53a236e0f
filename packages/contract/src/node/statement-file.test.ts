import { randomUUIDv7 } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { idFrom } from '../ids.ts'
import type { SignedStatement } from '../trust-statement.ts'
import { appendStatement, readStatements } from './statement-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-statements-'))
  path = join(folder, 'devices.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const statement = (target: string): SignedStatement => ({
  statement: {
    v: 1,
    gateway: idFrom('gw', randomUUIDv7()),
    at: new Date(0).toISOString(),
    kind: 'revoke',
    target,
  },
  by: null,
  passkey: null,
})

test('statements come back in order, from a file that only its owner reads', () => {
  expect(readStatements(path)).toMatchObject({ signed: [], problems: [] })
  const all = [statement('a'), statement('b'), statement('c')]
  for (const each of all) appendStatement(path, each)
  expect(readStatements(path)).toMatchObject({ signed: all, problems: [] })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a line that was not written whole does not count and does not spoil the next', () => {
  const first = statement('a')
  const next = statement('b')
  appendStatement(path, first)
  const whole = readStatements(path).bytes.length
  appendFileSync(path, '{"statement":')
  expect(readStatements(path)).toMatchObject({ signed: [first], problems: [] })
  expect(readStatements(path).bytes).toHaveLength(whole)
  appendStatement(path, next)
  expect(readStatements(path).signed).toEqual([first, next])
  expect(readStatements(path).problems).toEqual([`line 2 of ${path} is not a statement`])
})

test('a line with a repeated key or with more than a statement is none', () => {
  const text = JSON.stringify(statement('a'))
  writeFileSync(path, `${text.replace('{', '{"by":null,')}\n${text.replace('}', ',"more":1}')}\n`)
  expect(readStatements(path)).toMatchObject({
    signed: [],
    problems: [expect.any(String), expect.any(String)],
  })
})
