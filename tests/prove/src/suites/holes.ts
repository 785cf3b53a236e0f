/**
 * Proves that every hole which was ever found stays closed: each is an attack on the real product with an oracle outside
 * of it, a control that shows that the attack was really made, and a mutant that opens the hole again.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { loadAttacks } from './holes/attacks.ts'
import { runTrials } from './holes/trials.ts'

const program = new URL('./holes/mutant-main.ts', import.meta.url)
const attacks = await loadAttacks()

export const holes: Suite = {
  name: 'holes',
  defaultSize: attacks.length,
  mutants: [...new Set(attacks.map(({ mutant }) => mutant))],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
