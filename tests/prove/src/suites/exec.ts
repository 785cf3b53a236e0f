/**
 * Proves that nothing comes of a command before it was judged, whoever would read it, through whichever door it comes,
 * at every level of autonomy: a program only looks, and what it changes is held. What came of it is seen by the marks that
 * commands leave, as files and at a listener. What is only text is run as text, and must leave no mark; what is approved
 * must leave one. Programs that play with their layer, whoever comes in between when it is taken over, and floods leave
 * nothing that the list did not say.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './exec/trials.ts'

const program = new URL('./exec/mutant-main.ts', import.meta.url)

export const exec: Suite = {
  name: 'exec',
  defaultSize: 12_000,
  mutants: [
    'shell-without-effects',
    'shell-taken-for-a-look',
    'uninspectable-allowed',
    'wrapper-judged',
    'held-links-unnamed',
    'held-changes-untold',
    'held-bytes-uncompared',
    'held-sets-unbounded',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
