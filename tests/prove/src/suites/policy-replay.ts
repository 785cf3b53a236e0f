/**
 * Proves that a simulation of a policy says what the door will do: generated calls are decided by the door under one
 * policy and recorded; another is simulated over the records; then the same calls are made again and the door decides
 * them under the other. Decision, tier, rules, reason and grant must be the same. `n` is the number of calls.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './policy-replay/trials.ts'

const program = new URL('./policy-replay/mutant-main.ts', import.meta.url)

export const policyReplay: Suite = {
  name: 'policy-replay',
  defaultSize: 10_000,
  mutants: [
    'replay-forgets-labels',
    'replay-ignores-grants',
    'replay-ignores-uses',
    'replay-seals-itself',
    'replay-forgets-passkeys',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
