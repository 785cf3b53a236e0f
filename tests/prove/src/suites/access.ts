/**
 * Proves who may ask for what: every kind of caller at every route and message type of the real gateway. The routes come
 * from the gateway's own API document, so none can be forgotten; the answers are kept as a table that a person can read.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './access/trials.ts'

const program = new URL('./access/mutant-main.ts', import.meta.url)

export const access: Suite = {
  name: 'access',
  defaultSize: 1,
  mutants: [
    'reach-ignored',
    'requests-said-twice',
    'origins-ignored',
    'operators-mixed',
    'revoked-still-known',
  ],
  run: (options) =>
    options.mutant === undefined
      ? runTrials({ ...options, nodeArguments: [] })
      : runMutant(options, options.mutant, program),
}
