/**
 * Proves that a server of somebody else gets nothing but what the operator accepted: programs in the sandbox and servers
 * at an address that change their words, lie about themselves, look for what is not theirs, flood, drip, ask back, and come
 * in files that are not what they seem; and that a skill does not either: archives full of tricks, words that speak for
 * others, scripts that look around, files and reviews that are swapped. What happened is read from outside: what the server itself wrote down that it was
 * asked, what it got out, listeners, and the files of the host. Honest servers are used beside them, and have to work.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { extensionMutants } from './extension/families.ts'
import { runTrials } from './extension/trials.ts'

const program = new URL('./extension/mutant-main.ts', import.meta.url)

export const extension: Suite = {
  name: 'extension',
  defaultSize: 500,
  mutants: extensionMutants,
  run: (options) =>
    options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant, program),
}
