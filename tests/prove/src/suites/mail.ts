/**
 * Proves that e-mail does what its card said, once, and that nobody speaks under another's name: hostile e-mails through
 * the program in the sandbox, hostile fields through the tools to a server that shows what it was given, and kill -9
 * between intent and the folder of sent e-mails, on real servers.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runTrials } from './mail/trials.ts'

const program = new URL('./mail/mutant-main.ts', import.meta.url)

export const mail: Suite = {
  name: 'mail',
  defaultSize: 2000,
  mutants: ['letters-in-letters-speak', 'any-text-is-an-address', 'sending-is-not-sent', 'first-sender-only'],
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
