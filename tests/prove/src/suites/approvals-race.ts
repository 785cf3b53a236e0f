/**
 * Proves that an approval is decided once: two devices approve, deny, edit and extend the same request at the same
 * moment, some while its time runs out, some while the gateway is killed. One verdict stands, everybody else is told
 * whose it was and when, and what was approved happens at most once. `n` is the number of requests. What happened is
 * read from marks that commands leave in files, the story from the exported ledger.
 */
import { fileURLToPath } from 'node:url'
import type { Suite, SuiteOptions } from '../suite.ts'
import { runTrials } from './approvals-race/trials.ts'

export const approvalsRace: Suite = {
  name: 'approvals-race',
  defaultSize: 200,
  mutants: ['last-verdict-wins', 'edits-after-the-verdict', 'short-extension', 'nameless-conflict'],
  run: (options) => runTrials(options, mutantPath(options)),
}

function mutantPath({ mutant }: SuiteOptions): string | undefined {
  if (mutant === undefined) return undefined
  if (!approvalsRace.mutants.includes(mutant)) throw new Error(`no mutant ${mutant}`)
  return fileURLToPath(new URL(`../mutants/${mutant}.ts`, import.meta.url))
}
