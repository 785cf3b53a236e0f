import type { ApprovalView } from '@countersign/contract'
import { expect, test } from 'vitest'
import type { ApprovalGroup } from './groups.ts'
import { standing } from './inbox.ts'
import { rowOf } from './open-groups.ts'

const approval = (id: string, expiresAt = '2026-11-16T10:00:00Z') => ({ id, expiresAt }) as ApprovalView
const groups: ApprovalGroup[] = [
  { key: 'six', approvals: [approval('a'), approval('b')] },
  { key: 'one', approvals: [approval('c')] },
]

test('a row that stands for several is all of them, and one of them where they are shown', () => {
  expect(rowOf(groups, 'a', new Set())).toEqual(['a', 'b'])
  expect(rowOf(groups, 'a', new Set(['six']))).toEqual(['a'])
  expect(rowOf(groups, 'c', new Set())).toEqual(['c'])
})

test('more time does not move a request to another place', () => {
  const first = new Map([
    ['a', '2026-11-16T10:00:00Z'],
    ['b', '2026-11-16T11:00:00Z'],
  ])
  const extended = [approval('b', '2026-11-16T11:00:00Z'), approval('a', '2026-11-17T10:00:00Z')]
  expect(standing(extended, first).map(({ id }) => id)).toEqual(['a', 'b'])
})
