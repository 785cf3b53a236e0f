/**
 * Proves that no fault of a provider becomes a call that the model did not make. Streams recorded from servers of every
 * protocol are cut at every byte and damaged in every way, and the turn loop is run on models that fail at random. What
 * a stream holds is judged by a second reading of its bytes, what was done by a tool port that counts.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Suite, SuiteOptions, SuiteResult } from '../../suite.ts'
import { runTrials } from './trials.ts'

export const providerFaults: Suite = {
  name: 'provider-faults',
  defaultSize: 5_000,
  mutants: ['accepts-cut-replies', 'trusts-finish', 'accepts-open-calls', 'acts-on-half-replies'],
  run: (options) => (options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant)),
}

async function runMutant({ n, seed }: SuiteOptions, mutant: string): Promise<SuiteResult> {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      at(`./mutants/${mutant}.ts`),
      at('./mutant-main.ts'),
      String(n),
      String(seed),
    ],
    { maxBuffer: 10_000_000 },
  )
  return JSON.parse(stdout) as SuiteResult
}
