/**
 * Proves that whoever reaches a door of the product with damaged bytes neither ends it nor makes it act: requests and
 * sockets of strangers, frames of a device that may only look, and the channel of the executor.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './frames/trials.ts'

const program = new URL('./frames/mutant-main.ts', import.meta.url)

export const frames: Suite = {
  name: 'frames',
  defaultSize: 1_000_000,
  mutants: ['upgrades-unguarded', 'permits-taken-as-they-are', 'lookers-speak'],
  run: (options) =>
    options.mutant === undefined
      ? runTrials({ ...options, nodeArguments: [] })
      : runMutant(options, options.mutant, program),
}
