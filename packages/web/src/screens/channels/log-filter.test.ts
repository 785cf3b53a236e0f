import { DeliveryState } from '@countersign/contract'
import { expect, test } from 'vitest'
import { logViewIn, logViews, shownInLog } from './log-filter.ts'

const rows = DeliveryState.options.map((state) => ({ state }))
const shown = (view: Parameters<typeof shownInLog>[1]) => shownInLog(rows, view).map(({ state }) => state)

test('everything but what is decided elsewhere', () => {
  expect(shown('all')).toEqual(DeliveryState.options.filter((state) => state !== 'held'))
})

test('trouble is what did not arrive, or may not have', () => {
  expect(shown('trouble').toSorted()).toEqual(['aside', 'expired', 'refused', 'unknown'])
  expect(shown('waiting')).toEqual(['waiting', 'sending'])
  expect(shown('sent')).toEqual(['sent'])
})

test('an address that says nothing known shows everything', () => {
  expect(logViews.map(logViewIn)).toEqual([...logViews])
  expect([undefined, 'held', ''].map(logViewIn)).toEqual(['all', 'all', 'all'])
})
