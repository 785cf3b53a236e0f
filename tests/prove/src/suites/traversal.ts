/**
 * Proves that a path given to a file tool leads nowhere but into the workspace, however it is spelled, and whoever
 * turns it into a way out meanwhile. What happened is read from the disk: sentinels outside must not change, and no
 * reply may hold their secrets. A program that checks first and writes then, under the same races, must be led out.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './traversal/trials.ts'

const program = new URL('./traversal/mutant-main.ts', import.meta.url)

export const traversal: Suite = {
  name: 'traversal',
  defaultSize: 20_000,
  mutants: ['workspace-mounted-wide', 'links-followed', 'identity-unchecked'],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
