/** What the Costs screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('costs', {
  title: 'Costs',
  note: 'from this gateway’s own records',
  breakdown: 'Breakdown',
  groupBy: 'Group by',
  by: {
    model: 'by model',
    provider: 'by provider',
    purpose: 'by purpose',
    agent: 'by agent',
    goal: 'by goal',
    schedule: 'by automation',
    session: 'by conversation',
    run: 'by run',
    day: 'by day',
    hour: 'by hour',
  },
  nothing: 'Nothing was spent.',
  caption: (by: string) => `Spending ${by}`,
  span: (from: ReactNode, before: string) => (
    <>
      {from} to now · {before} in the period before
    </>
  ),
  unattended: 'Unattended',
  perOutcome: 'Per successful run',
  noOutcome: 'no run has succeeded yet',
  tokens: 'Tokens',
  tokenCounts: (input: number, output: number) =>
    `${plural(input, { one: '# token', other: '# tokens' })} in, ${plural(output, { one: '# token', other: '# tokens' })} out`,
  cached: 'From cache',
  unknown: 'not known',
  percent: (percent: number) => `${percent}%`,
  estimated: 'Estimated',
  estimatedAbout: (amount: string) => `${amount}, where the provider gave no figure`,
  reserved: 'Reserved',
  reservedAbout: (amount: string) => `${amount} for calls in progress`,
  columns: {
    what: 'What',
    calls: 'Calls',
    tokens: 'Tokens in, out',
    cost: 'Cost',
    run: 'Run',
    why: 'Why',
    when: 'When',
  },
  costliest: 'Most expensive runs',
  noRuns: 'No run has cost anything.',
  unattendedRun: 'unattended',
  limits: 'Limits',
  noLimits: 'No limit is set.',
  onlyWarns: ', warning only',
  eachUpTo: (limit: string) => `each up to ${limit}`,
  of: (spent: string, limit: string) => `${spent} of ${limit}`,
  restarts: (when: ReactNode) => <>resets {when}</>,
  commands: {
    set: 'Set a limit',
    reconcile: 'Compare with the provider’s bill',
    idle: 'See what was spent while you were away',
  },
})
