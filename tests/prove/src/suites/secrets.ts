/**
 * Proves that no value of a secret reaches a place where somebody could read it: not the model, not the transcript, not
 * the ledger, the events, the log, an error, an answer of the API or a card, in none of its usual encodings. Values are
 * looked for in the bytes that the installation sent and kept. Text that only resembles a value must stay as it is.
 */
import { fileURLToPath } from 'node:url'
import { encodings } from '@countersign/contract/node'
import { createRandom } from '../../../../packages/executor/src/testing/random.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { createCanaries } from './secrets/canaries.ts'
import { harmlessTrials, maskingTrials, redactorOf } from './secrets/masking.ts'
import { installationTrials } from './secrets/whole-installation.ts'

type EncodingName = keyof typeof encodings

const encodingNames = Object.keys(encodings) as EncodingName[]
/** Each leaves a way through the installation as it would be without redaction. */
const bareSinks = ['unmasked-model']
const harmlessTexts = 10_000

export const secrets: Suite = {
  name: 'secrets',
  defaultSize: 200,
  mutants: [...encodingNames.map((name) => `without-${name}`), ...bareSinks],
  run,
}

async function run(options: SuiteOptions): Promise<SuiteResult> {
  const { n, seed, mutant } = options
  const random = createRandom(seed)
  const canaries = createCanaries(n, random)
  if (mutant !== undefined && bareSinks.includes(mutant)) {
    const mutation = fileURLToPath(new URL(`../mutants/${mutant}.ts`, import.meta.url))
    return summed([await installationTrials({ canaries, mutation, log: options.log })])
  }
  const missing = mutant?.replace('without-', '')
  const redact = redactorOf(
    canaries,
    encodingNames.filter((name) => name !== missing),
  )
  const alone = [maskingTrials(canaries, redact), harmlessTrials(harmlessTexts, canaries, redact, random)]
  options.log(`${alone.reduce((sum, { n: trials }) => sum + trials, 0)} texts redacted`)
  if (mutant !== undefined) return summed(alone)
  return summed([...alone, await installationTrials({ canaries, log: options.log })])
}

interface Part {
  readonly n: number
  readonly wrong: readonly string[]
  readonly details?: Record<string, unknown>
}

function summed(parts: readonly Part[]): SuiteResult {
  const wrong = parts.flatMap((part) => part.wrong)
  return {
    n: parts.reduce((sum, part) => sum + part.n, 0),
    failures: wrong.length,
    details: {
      ...Object.assign({}, ...parts.map((part) => part.details ?? {})),
      examples: wrong.slice(0, 10),
    },
  }
}
