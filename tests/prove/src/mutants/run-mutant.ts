/** Runs the trials of a suite in a process of its own, in which a mutant is loaded first. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SuiteOptions, SuiteResult } from '../suite.ts'

/** The program is given the size and the seed, and the file of the mutant for processes that it starts itself. */
export async function runMutant(
  { n, seed }: SuiteOptions,
  mutant: string,
  program: URL,
): Promise<SuiteResult> {
  const mutation = fileURLToPath(new URL(`./${mutant}.ts`, import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      mutation,
      fileURLToPath(program),
      String(n),
      String(seed),
      mutation,
    ],
    { maxBuffer: 10_000_000 },
  )
  return JSON.parse(stdout) as SuiteResult
}
