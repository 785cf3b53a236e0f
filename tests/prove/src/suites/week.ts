/**
 * Proves that the reference week measures what happens: the messages of a week go through a whole gateway with its database,
 * a model makes the calls that are written, and the cards that come into the inbox are those of the replay, task by task.
 * The executor is one that sees the written workspace. A week cannot begin in its middle, so a small run lives the first
 * tasks of the held-out weeks.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runWeeks } from './week/trials.ts'

const program = new URL('./week/mutant-main.ts', import.meta.url)

export const week: Suite = {
  name: 'week',
  defaultSize: 1_000,
  mutants: ['files-forget', 'conversations-forget'],
  run: (options) =>
    options.mutant === undefined ? runWeeks(options) : runMutant(options, options.mutant, program),
}
