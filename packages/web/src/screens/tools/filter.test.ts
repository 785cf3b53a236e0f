import type { ToolView } from '@countersign/contract'
import { expect, test } from 'vitest'
import { shownTools, type ToolFilter } from './filter.ts'

const tool = (name: string, floor: ToolView['floor'], enabled: boolean, calls: number): ToolView => ({
  name,
  description: '',
  category: 'files',
  group: 'files',
  source: 'core',
  enabled,
  listed: true,
  floor,
  effect: 'pure',
  runs: 'executor',
  undo: null,
  use: { calls, failures: 0, medianMs: null, lastAt: null, daily: [] },
})
const tools = [tool('read_file', 0, true, 4), tool('send_email', 3, false, 0)]
const all: ToolFilter = { words: '', state: 'all', tier: null, group: null }
const names = (filter: Partial<ToolFilter>) =>
  shownTools(tools, { ...all, ...filter }).map(({ name }) => name)

test('shows tools by what is typed, by state, by tier and by group', () => {
  expect(names({})).toEqual(['read_file', 'send_email'])
  expect(names({ words: 'EMAIL' })).toEqual(['send_email'])
  expect(names({ state: 'on' })).toEqual(['read_file'])
  expect(names({ state: 'off' })).toEqual(['send_email'])
  expect(names({ state: 'unused' })).toEqual(['send_email'])
  expect(names({ tier: 3 })).toEqual(['send_email'])
  expect(names({ tier: 3, state: 'used' })).toEqual([])
  expect(names({ group: 'mail' })).toEqual([])
})
