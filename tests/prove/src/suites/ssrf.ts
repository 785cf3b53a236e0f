/**
 * Proves that the egress client reaches no place of this machine that the operator has not named, however its address
 * is spelled and whoever leads there: redirects, pages, names that turn, diallers that go astray. What was reached is
 * seen by listeners on the loopback addresses and on a unix socket, not by the client. Every trial has a control, a
 * place that is allowed, which must be reached. A reader, which pages lead, also reaches no place that the operator has
 * named for their own calls, no odd port, and carries nothing like a key.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './ssrf/trials.ts'

const program = new URL('./ssrf/mutant-main.ts', import.meta.url)

export const ssrf: Suite = {
  name: 'ssrf',
  defaultSize: 5_000,
  mutants: [
    'address-unchecked',
    'first-answer-only',
    'redirects-unchecked',
    'redirects-to-anyone',
    'connected-unchecked',
    'userinfo-allowed',
    'readers-look-inside',
    'readers-carry-keys',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
