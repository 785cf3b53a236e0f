/** One run of the proof of nodes, in this process: permits, ledgers, and cuts between. */
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { tryLedgers } from './ledgers.ts'
import { tryPartitions } from './partitions.ts'
import { tryPermits } from './permits.ts'

const mostPartitions = 200
const mostLedgers = 100
const fewest = 4

export async function runNodes(
  options: Pick<SuiteOptions, 'n' | 'seed' | 'log'> & { readonly mutation?: string },
): Promise<SuiteResult> {
  const parts = {
    permits: () => tryPermits(options),
    ledgers: () => tryLedgers({ ...options, n: someOf(options.n, 100, mostLedgers) }),
    partitions: () => tryPartitions({ ...options, n: someOf(options.n, 50, mostPartitions) }),
  }
  const details: Record<string, unknown> = {}
  let trials = 0
  for (const [name, part] of Object.entries(parts)) {
    const result = await part()
    trials += result.n
    details[name] = { n: result.n, ...result.details }
    options.log(`${name}: ${result.n}, ${result.failures} problems`)
    if (result.failures > 0) return { n: trials, failures: result.failures, details }
  }
  return { n: trials, failures: 0, details }
}

function someOf(n: number, one: number, most: number): number {
  return Math.min(most, Math.max(fewest, Math.round(n / one)))
}
