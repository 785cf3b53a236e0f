/**
 * Proves that a file of a stranger harms nobody but the process that opens it: damaged, hostile and honest files of
 * each kind through the real executor, programs in the place of ours, as if a file had taken them over, and what is
 * spoken and heard by the programs for speech. Canaries are
 * watched from outside: files, listeners, what else lies in the workspace, and the memory of every process.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './media/trials.ts'

const program = new URL('./media/mutant-main.ts', import.meta.url)

export const media: Suite = {
  name: 'media',
  defaultSize: 200,
  mutants: [
    'documents-see-the-workspace',
    'documents-are-writable',
    'drawings-are-drawn',
    'archives-grow-without-end',
    'texts-are-options',
    'brackets-are-phonemes',
    'speech-without-end',
    'recordings-of-any-form',
    'weights-unchecked',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
