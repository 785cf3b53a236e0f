import type { ThreadItemLive } from '@countersign/contract'
import { expect, test } from 'vitest'
import { stepsOf } from './step-order.ts'

const item = (part: object) => ({ at: '2026-11-16T12:00:00Z', ...part }) as unknown as ThreadItemLive

test('tells a call after the decision that it waited for', () => {
  const at = '2026-11-16T12:01:00Z'
  const steps = stepsOf([
    item({ kind: 'cell', seq: 1, endedSeq: 6, endedAt: at }),
    item({ kind: 'approval', seq: 2, decidedSeq: 4, decidedAt: at }),
    item({ kind: 'mark', mark: 'parked', seq: 3 }),
    item({ kind: 'mark', mark: 'resumed', seq: 5 }),
  ])
  expect(steps.map(({ seq, isBegin, item: { kind } }) => [seq, kind, isBegin])).toEqual([
    [2, 'approval', true],
    [3, 'mark', true],
    [4, 'approval', false],
    [5, 'mark', true],
    [6, 'cell', false],
  ])
})
