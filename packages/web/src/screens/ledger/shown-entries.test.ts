import type { LedgerEntryView } from '@countersign/contract'
import { expect, test } from 'vitest'
import { oneLinePerAct, withoutMachine } from './shown-entries.ts'

test('leaves out calls to models and archived messages unless they are asked for', () => {
  expect(withoutMachine('', false)).toBe('-type:model.called -type:session.archived')
  expect(withoutMachine('tier>=2', false)).toBe('tier>=2 -type:model.called -type:session.archived')
  expect(withoutMachine('tier>=2', true)).toBe('tier>=2')
  expect(withoutMachine('type:model.called', false)).toBe('type:model.called')
})

test('shows an act once, and a permission that was never used', () => {
  const entry = (seq: number, type: string, call: string) => ({ seq, type, call }) as LedgerEntryView
  const shown = oneLinePerAct([
    entry(4, 'effect.outcome', 'call_1'),
    entry(3, 'effect.intended', 'call_1'),
    entry(2, 'effect.intended', 'call_2'),
    entry(1, 'approval.decided', 'call_1'),
  ])
  expect(shown.map(({ seq }) => seq)).toEqual([4, 2, 1])
})
