/**
 * Proves that a grant is what its sentence says: calls around generated grants go the way of every call, through
 * classification, policy and the rows of a real database, and are held against a reading of the sentence alone. What
 * lies inside a grant that lives is not asked about again; what lies outside is not allowed by it; and of many callers
 * at once as many get through as it has uses left. Grants that hold after
 * untrusted content was read answer a run that strangers lead where their sentence says it. `n` is the number of calls.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './grants/trials.ts'

const program = new URL('./grants/mutant-main.ts', import.meta.url)

export const grants: Suite = {
  name: 'grants',
  defaultSize: 10_000,
  mutants: [
    'folders-by-prefix',
    'ports-ignored',
    'one-target-enough',
    'first-grant-only',
    'uses-uncounted',
    'ends-ignored',
    'sessions-ignored',
    'revocation-forgotten',
    'tier-three-granted',
    'create-means-change',
    'grants-speak-for-strangers',
    'strangers-say-anything',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
