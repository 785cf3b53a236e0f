import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type ShortIdKind } from '@countersign/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type TestKernel } from '../testing/test-kernel.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let run: string
let other: string

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, () => ({ text: 'Hello.' }))
  run = (await testKernel.say('one')).run
  other = (await testKernel.say('two')).run
  await testKernel.settled(run as never)
  await testKernel.settled(other as never)
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

const ids = (part: string, kind?: ShortIdKind, operator = testKernel.kernel.operator) =>
  testKernel.views().shortIds(operator, { part, kind })
const hex = (id: string) => id.replace(/^run_/, '')

test('an id is found by its end, by its beginning and whole', async () => {
  for (const part of [hex(run).slice(-12), hex(run).slice(0, 31), hex(run)])
    expect(await ids(part, 'run')).toEqual([run])
  expect(await ids(hex(run).slice(-12))).toEqual([run])
})

test('a part that two have names both, the newest first', async () => {
  const shared = hex(run).slice(0, 6)
  expect(hex(other).startsWith(shared)).toBe(true)
  expect(await ids(shared, 'run')).toEqual([other, run])
})

test('a part of another kind, or of nothing, names nothing', async () => {
  expect(await ids(hex(run), 'ses')).toEqual([])
  expect(await ids('f'.repeat(32))).toEqual([])
})

test('a goal and a memory are found among the records, each only as what it is', async () => {
  const part = randomUUIDv7().replaceAll('-', '')
  const { kernel } = testKernel
  for (const [collection, id] of [
    ['goals', `goal_${part}`],
    ['memories', `mem_${part}`],
    ['notes', `note_${part}`],
  ] as const)
    await kernel.records.change(kernel.operator, ({ records }) => records.insert(collection, id, {}, null))
  expect(await ids(part.slice(-8), 'goal')).toEqual([`goal_${part}`])
  expect(await ids(part.slice(-8), 'mem')).toEqual([`mem_${part}`])
  expect(await ids(part)).toEqual([`goal_${part}`, `mem_${part}`])
  expect(await ids(part, 'goal', idFrom('op', randomUUIDv7()))).toEqual([])
})

test('the ids of another operator are not to be found', async () => {
  const stranger = idFrom('op', randomUUIDv7())
  expect(await ids(hex(run), 'run', stranger)).toEqual([])
  expect(await ids(hex(run).slice(0, 6), undefined, stranger)).toEqual([])
})
