import { expect, test } from 'vitest'
import { hintOf, type ModelCost, type RunCost } from './costly-runs.ts'

const plain: RunCost = {
  calls: 4,
  undelivered: 0,
  cost: 1_000,
  lost: 0,
  lostCalls: 0,
  firstInput: 1_000,
  largestInput: 2_000,
  usualInput: 1_500,
  output: 800,
  reasoning: 0,
  dearest: 'openai/large',
  dearestCost: 1_000,
}
const models: ModelCost[] = [
  { ref: 'openai/large', cost: 40_000, tokens: 10_000 },
  { ref: 'openai/small', cost: 10_000, tokens: 10_000 },
]

test.each<[string | null, Partial<RunCost>]>([
  ['2 of 4 calls were lost and count with their highest possible cost', { lost: 500, lostCalls: 2 }],
  [null, { lost: 499, lostCalls: 2 }],
  ['3 of 6 calls got no reply', { calls: 6, undelivered: 3 }],
  [null, { calls: 7, undelivered: 3 }],
  [null, { calls: 2, undelivered: 2 }],
  ['the context grew to 48,000 tokens a call', { firstInput: 16_000, largestInput: 48_000 }],
  [null, { firstInput: 16_001, largestInput: 48_000 }],
  [null, { firstInput: 1, largestInput: 19_999 }],
  [
    'a call carried 20,000 tokens on average',
    { firstInput: 19_000, largestInput: 21_000, usualInput: 20_000 },
  ],
  ['12,000 tokens went into reasoning', { output: 24_000, reasoning: 12_000 }],
  [null, { output: 24_001, reasoning: 12_000 }],
  ['it took 20 calls', { calls: 20 }],
  [null, { calls: 19 }],
])('why a run cost what it did: %s', (hint, run) => {
  expect(hintOf({ ...plain, ...run }, [])).toBe(hint)
})

test('a dear model is named when the others are far cheaper, and most of the money went to it', () => {
  expect(hintOf(plain, models)).toBe('openai/large costs 4 times as much per token as your other models')
  expect(hintOf({ ...plain, dearestCost: 499 }, models)).toBeNull()
  expect(hintOf({ ...plain, dearest: 'openai/small' }, models)).toBeNull()
  expect(hintOf(plain, [models[0] as ModelCost])).toBeNull()
  expect(hintOf(plain, [models[0] as ModelCost, { ref: 'box/free', cost: 0, tokens: 50_000 }])).toBeNull()
})
