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
  const { n } = options
  const permits = await tryPermits(options)
  options.log(`${permits.n} forged permits, ${permits.failures} problems`)
  const ledgers = await tryLedgers({
    ...options,
    n: Math.min(mostLedgers, Math.max(fewest, Math.round(n / 100))),
  })
  options.log(`${ledgers.n} ledgers, ${ledgers.failures} problems`)
  const partitions = await tryPartitions({
    ...options,
    n: Math.min(mostPartitions, Math.max(fewest, Math.round(n / 50))),
  })
  const all = { permits, ledgers, partitions }
  const sum = (field: 'n' | 'failures') => Object.values(all).reduce((total, each) => total + each[field], 0)
  return {
    n: sum('n'),
    failures: sum('failures'),
    details: Object.fromEntries(
      Object.entries(all).map(([name, { n: count, details }]) => [name, { n: count, ...details }]),
    ),
  }
}
