/**
 * Proves that no fault of a provider becomes a call that the model did not make. Streams recorded from servers of every
 * protocol are cut at every byte and damaged in every way, and the turn loop is run on models that fail at random. What
 * a stream holds is judged by a second reading of its bytes, what was done by a tool port that counts.
 */
import { runMutant } from '../../mutants/run-mutant.ts'
import type { Suite } from '../../suite.ts'
import { runTrials } from './trials.ts'

const program = new URL('./mutant-main.ts', import.meta.url)

export const providerFaults: Suite = {
  name: 'provider-faults',
  defaultSize: 5_000,
  mutants: ['accepts-cut-replies', 'trusts-finish', 'accepts-open-calls', 'acts-on-half-replies'],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
