import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '@countersign/contract/node'
import { afterAll, expect, test } from 'vitest'
import { changeConfigurationFile } from './configuration-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'configuration-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'config.json')

test('a change keeps every other line, and one that changes nothing writes nothing', () => {
  writeFileSync(file, '{ "port": 7, "autonomy": "low" }')
  changeConfigurationFile(file, { autonomy: 'low' })
  expect(readFileSync(file, 'utf8')).toBe('{ "port": 7, "autonomy": "low" }')
  changeConfigurationFile(file, { timeZone: 'Europe/Vienna' })
  expect(readSettings(file)).toEqual({ port: 7, autonomy: 'low', timeZone: 'Europe/Vienna' })
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('what is not a JSON object is left as it is', () => {
  writeFileSync(file, '[1')
  expect(() => changeConfigurationFile(file, { autonomy: 'low' })).toThrow('not a JSON object')
  expect(readFileSync(file, 'utf8')).toBe('[1')
})
