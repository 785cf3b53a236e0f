/**
 * Proves that no command runs without asking, whoever would read it, through whichever door it comes, at every level
 * of autonomy. What ran is seen by the marks that commands leave, as files and at a listener. What is only text is
 * run as text, and must leave no mark; what is approved must leave one.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { runTrials } from './exec/trials.ts'

export const exec: Suite = {
  name: 'exec',
  defaultSize: 12_000,
  mutants: ['shell-without-effects', 'shell-taken-for-a-look', 'uninspectable-allowed', 'wrapper-judged'],
  run: (options) => (options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant)),
}

async function runMutant({ n, seed }: SuiteOptions, mutant: string): Promise<SuiteResult> {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const mutation = at(`../mutants/${mutant}.ts`)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      mutation,
      at('./exec/mutant-main.ts'),
      String(n),
      String(seed),
      mutation,
    ],
    { maxBuffer: 10_000_000 },
  )
  return JSON.parse(stdout) as SuiteResult
}
