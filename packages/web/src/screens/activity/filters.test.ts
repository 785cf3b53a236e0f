import type { RunView } from '@countersign/contract'
import { expect, test } from 'vitest'
import { filtered } from './filters.ts'

const now = new Date('2026-11-16T12:00:00Z')
const run = (id: string, part: Partial<RunView> = {}): RunView =>
  ({
    id,
    state: 'stopped',
    reason: 'completed',
    problems: 0,
    startedAt: '2026-11-16T11:00:00Z',
    asked: '',
    text: '',
    message: '',
    agent: 'assistant',
    schedule: null,
    tools: [],
    costUsd: 0,
    ...part,
  }) as unknown as RunView
const runs = [
  run('a', { asked: 'Tidy my desk', tools: ['move_file'], costUsd: 0.2 }),
  run('b', { reason: 'error', message: 'status 500', startedAt: '2026-11-01T11:00:00Z' }),
  run('c', { schedule: 'sch_1', agent: 'task' }),
  run('d', { agent: 'feed' }),
]
const ids = (wanted: Parameters<typeof filtered>[1]) => filtered(runs, wanted, now).map(({ id }) => id)

test('leaves out what Countersign does for itself, unless it is asked for', () => {
  expect(ids({})).toEqual(['a', 'b', 'c'])
  expect(ids({ internal: '1' })).toEqual(['a', 'b', 'c', 'd'])
})

test('finds by words, outcome, time, agent, tool, trigger and cost', () => {
  expect(ids({ words: 'DESK' })).toEqual(['a'])
  expect(ids({ words: 'status 500' })).toEqual(['b'])
  expect(ids({ state: 'failed' })).toEqual(['b'])
  expect(ids({ since: 'week' })).toEqual(['a', 'c'])
  expect(ids({ agent: 'task' })).toEqual(['c'])
  expect(ids({ tool: 'move_file' })).toEqual(['a'])
  expect(ids({ by: 'automation' })).toEqual(['c'])
  expect(ids({ by: 'you' })).toEqual(['a', 'b'])
  expect(ids({ cost: '0.1' })).toEqual(['a'])
})
