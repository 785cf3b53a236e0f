import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CommandBench, openCommandBench } from '../testing/command.ts'

let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench('2026-08-01T12:00:00.000Z')
})
afterEach(() => bench.close())

it('lists what holds text of strangers, where it came from, and what is the operator’s', async () => {
  const { text } = await bench.command(['file', 'marks'])
  expect(text).toContain('downloads/a.txt')
  expect(text).toContain('example.com')
  expect(text).toContain('project')
  bench.gateway.files.found = { marks: [], more: false, own: [] }
  expect((await bench.command(['file', 'marks'])).text).toContain('No file is marked.')
})

it('says what is the operator’s and what is not', async () => {
  expect((await bench.command(['file', 'trust', 'project'])).text).toContain(
    'project is yours; 1 mark is gone.',
  )
  expect((await bench.command(['file', 'distrust', 'in'])).text).toContain('in is marked')
  expect(bench.gateway.files.said).toEqual(['trust project', 'distrust in'])
})
