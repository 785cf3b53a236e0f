/**
 * Shows witnesses histories of a ledger that grew, forked, went back or belongs to somebody else, and counts what they
 * take wrongly: every fork and every rollback must be complained about, and no honest growth. Size: histories.
 */
import type { Suite } from '../suite.ts'

export const ledgerWitness: Suite = {
  name: 'ledger-witness',
  defaultSize: 2_000,
  mutants: [
    'witnesses-forget-their-root',
    'witnesses-go-back',
    'witnesses-take-any-proof',
    'witnesses-take-any-key',
    'witnesses-take-any-ledger',
    'witnesses-take-long-proofs',
    'log-witnesses-overwrite',
    'log-witnesses-take-any-history',
  ],
  async run(options) {
    const { mutant } = options
    if (mutant !== undefined) {
      const { runMutant } = await import('../mutants/run-mutant.ts')
      return runMutant(options, mutant, new URL('./ledger-witness-run.ts', import.meta.url))
    }
    const { tryWitnesses } = await import('./ledger-witness-trials.ts')
    return tryWitnesses(options)
  },
}
