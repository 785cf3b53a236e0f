/**
 * Proves that schedules lose nothing and do nothing twice: jobs with all kinds of times and policies live through a
 * year of jumps, late ticks and kills on a real database, and what was written is compared with an oracle that shares
 * no code with the product. `n` is the number of jobs; what is counted is their instants.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runSchedule } from './schedule/run.ts'

export const schedule: Suite = {
  name: 'schedule',
  defaultSize: 1_000,
  mutants: [
    'cursor-first',
    'key-without-instant',
    'misses-unrecorded',
    'runs-again',
    'ends-again',
    'gap-forgotten',
    'february-hides-march',
  ],
  run: (options) =>
    options.mutant === undefined
      ? runSchedule(options)
      : runMutant(options, options.mutant, new URL('./schedule/mutant-main.ts', import.meta.url)),
}
