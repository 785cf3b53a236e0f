/**
 * Proves that the egress client reaches no place of this machine that the operator has not named, however its address
 * is spelled and whoever leads there: redirects, pages, names that turn, diallers that go astray. What was reached is
 * seen by listeners on the loopback addresses and on a unix socket, not by the client. Every trial has a control, a
 * place that is allowed, which must be reached.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { runTrials } from './ssrf/trials.ts'

export const ssrf: Suite = {
  name: 'ssrf',
  defaultSize: 5_000,
  mutants: [
    'address-unchecked',
    'first-answer-only',
    'redirects-unchecked',
    'redirects-to-anyone',
    'connected-unchecked',
    'userinfo-allowed',
  ],
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
      at('./ssrf/mutant-main.ts'),
      String(n),
      String(seed),
    ],
    { maxBuffer: 10_000_000 },
  )
  return JSON.parse(stdout) as SuiteResult
}
