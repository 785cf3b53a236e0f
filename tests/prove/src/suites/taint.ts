/**
 * Proves that words keep their label on every way from run to run: through files, records, tools that were made of
 * them, memories, schedules, helpers, what is left of a long conversation, programs, package managers, repositories,
 * readers, files that are hidden, changes that are held, and what the operator's own hand brings in. At the end of each flow a call is made,
 * and the label that its permit binds must be worth no more than all that went in. Words that do not arrive prove
 * nothing and count as wrong.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './taint/trials.ts'

const program = new URL('./taint/mutant-main.ts', import.meta.url)

export const taint: Suite = {
  name: 'taint',
  defaultSize: 1_000,
  mutants: [
    'files-forget',
    'moves-forget',
    'records-forget',
    'tools-forget',
    'conversations-forget',
    'memories-forget',
    'helpers-forget',
    'reports-forget',
    'schedules-forget',
    'archives-forget',
    'programs-leave-no-marks',
    'packages-are-own',
    'undo-forgets-marks',
    'imports-are-own',
    'hidden-in-name-only',
    'values-of-any-form',
    'readers-are-own',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
