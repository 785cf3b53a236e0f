import { expect, test } from 'vitest'
import { ledgerTamper } from './ledger-tamper.ts'

const quiet = { n: 20, seed: 7, log: () => undefined }

test('detects every change to an export of twenty entries', async () => {
  const result = await ledgerTamper.run(quiet)
  expect(result.failures, JSON.stringify(result.details)).toBe(0)
  expect(result.n).toBeGreaterThan(40_000)
  expect(result.details?.['cut tail, witness']).toEqual({ trials: 20, undetected: 0, notDetectable: 0 })
  expect(result.details?.['other key, none pinned']).toEqual({ trials: 1, undetected: 0, notDetectable: 1 })
})

test('makes the same trials again from the same seed', async () => {
  const small = { ...quiet, n: 5 }
  expect(await ledgerTamper.run(small)).toEqual(await ledgerTamper.run(small))
})

test('refuses a mutant that it does not have', async () => {
  await expect(ledgerTamper.run({ ...quiet, mutant: 'skip-everything' })).rejects.toThrow('skip-everything')
})
