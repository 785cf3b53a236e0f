import { describe, expect, test } from 'vitest'
import { revocationText } from './revoking.ts'

describe('the receipt of a revocation', () => {
  test('names the entry of the ledger', () => {
    expect(revocationText({ done: 2, ledger: 7, problem: null, failed: 0 })).toBe(
      'Revoked 2 grants. Their calls need approval again. Ledger #7.',
    )
  })

  test('never calls revoked what still holds', () => {
    expect(revocationText({ done: 1, ledger: 7, problem: 'No gateway answers.', failed: 2 })).toBe(
      'Revoked 1 grant; 2 are still active: No gateway answers. Ledger #7.',
    )
  })
})
