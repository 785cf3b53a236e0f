/**
 * Proves that a path given to a file tool leads nowhere but into the workspace, however it is spelled, and whoever
 * turns it into a way out meanwhile. What happened is read from the disk: sentinels outside must not change, and no
 * reply may hold their secrets. A program that checks first and writes then, under the same races, must be led out.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { runTrials } from './traversal/trials.ts'

export const traversal: Suite = {
  name: 'traversal',
  defaultSize: 20_000,
  mutants: ['workspace-mounted-wide', 'border-unchecked', 'links-followed', 'identity-unchecked'],
  run: (options) => (options.mutant === undefined ? runTrials(options) : runMutant(options, options.mutant)),
}

async function runMutant({ n, seed }: SuiteOptions, mutant: string): Promise<SuiteResult> {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      at(`../mutants/${mutant}.ts`),
      at('./traversal/mutant-main.ts'),
      String(n),
      String(seed),
    ],
    { maxBuffer: 10_000_000 },
  )
  return JSON.parse(stdout) as SuiteResult
}
