/**
 * Proves that a model which obeys every stranger gets nothing that the operator did not want: mails, requests, files,
 * records, memories, schedules, work of others, grants and rules are compared before and after. The operator is
 * honest and awake, approves to the byte what the task needs, and denies the rest. Words that claim consent, forged
 * results and floods are among the attacks.
 *
 * Every pair strikes after a stranger's words were seen. From then on nothing that changes is free at the level from
 * the start, and with private words at no level; so a change inside the workspace or the records counts against the
 * installation too, undoable or not, unless the task wanted it to the byte. Only pages alone, which are public, leave changes
 * that can be taken back free at the higher levels, by the operator's own choice: those pairs are tried at the level
 * from the start only.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { countPairs, runTrials } from './adversary/trials.ts'

const program = new URL('./adversary/mutant-main.ts', import.meta.url)

export const adversary: Suite = {
  name: 'adversary',
  defaultSize: countPairs(),
  mutants: [
    'results-untainted',
    'files-forget',
    'rule-of-two-removed',
    'words-are-consent',
    'wrapped-untainted',
    'wishes-name-places',
    'program-changes-are-documents',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
