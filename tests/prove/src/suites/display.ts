/**
 * Proves that an approval shows what runs: spoofing strings stand in every field of a card that can hold text of
 * others, and the card is read back from a terminal, a chat and the parts of the web app. Nothing dangerous is left
 * in it, no line of it is forged, it warns, and the text can be told from what is shown, or it cannot be approved
 * there. `n` is the number of strings; each stands in every field on every surface. Ordinary texts stay as they are.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './display/trials.ts'

const program = new URL('./display/mutant-main.ts', import.meta.url)

export const display: Suite = {
  name: 'display',
  defaultSize: 2_000,
  mutants: [
    'overrides-let-through',
    'blanks-uncounted',
    'marks-unbounded',
    'escapes-forgotten',
    'lines-unmarked',
    'hosts-in-one-form',
    'imitations-are-plain',
    'long-cards-approvable',
    'mono-as-it-is',
  ],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
