import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  follow,
  inThisHome,
  look,
  type OperatorShell,
  openOperatorShell,
  repository,
  stepsIn,
} from './typed-document.ts'

const placeholders = { K7Q2: '[A-Z0-9]{4}', M3XD: '[A-Z0-9]{4}', '4c1d7a90': '[0-9a-f]{8}' }

let place: OperatorShell

beforeAll(() => {
  place = openOperatorShell()
})

afterAll(() => place.close(), 120_000)

test('the tour of the README goes as it says, from an empty home', { timeout: 300_000 }, async () => {
  const steps = stepsIn(readFileSync(join(repository, 'README.md'), 'utf8'), 'tour')
  expect(steps.length).toBeGreaterThan(5)
  await follow(steps, placeholders, (commands) => place.type(commands))
})

test('a command that does not exist and a line that does not come out are noticed', async () => {
  expect((await place.type('countersign version\ncountersign frobnicate\ncountersign version')).code).toBe(2)
  const said = (line: string, output: string) => () => look(line, output, placeholders, new Map())
  expect(said('Paused by …', 'Resumed.')).toThrow()
  expect(said('Paused by …', '  Paused  by ana\n')).not.toThrow()
  expect(() => inThisHome('countersign approval show K7Q2', placeholders, new Map())).toThrow()
})
