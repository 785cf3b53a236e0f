/** What the Tools screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('tools', {
  title: 'Tools',
  count: (count: number) => plural(count, { one: '# tool', other: '# tools' }),
  filterLabel: 'Filter tools',
  filter: 'Filter',
  empty: 'There are no tools.',
  noMatch: 'No tool matches this filter.',
  choose: 'Select a tool to see its arguments and how it was used.',
  off: 'off',
  source: (source: ReactNode, version: ReactNode) => (
    <>
      from {source}, version {version}
    </>
  ),
  behaviour: 'Behaviour',
  atLeast: 'At least',
  interrupted: 'If interrupted',
  effects: {
    pure: 'it runs again; nothing changes',
    idempotent: 'it runs again; the result is the same',
    once: 'you are asked what happened',
  },
  runs: 'Runs',
  places: {
    executor: 'in the executor, in its sandbox',
    gateway: 'in the gateway, on its own records',
    operator: 'by asking you',
    unwrapped: 'as a separate program',
  },
  undo: 'Undo',
  noUndo: 'not possible',
  rate: 'Rate limit',
  noRate: 'none',
  rateOf: (calls: number, seconds: number) =>
    `${plural(calls, { one: '# call', other: '# calls' })} in ${plural(seconds, { other: '# s' })}`,
  lately: 'Last 30 days',
  calls: 'Calls',
  failed: 'Failed',
  noFailures: 'none',
  failures: (count: number) => plural(count, { one: '# call', other: '# calls' }),
  median: 'Median time',
  unknown: 'not known',
  last: 'Last used',
  never: 'never',
  arguments: 'Arguments',
  terminal: 'In a terminal',
  commands: { try: 'Preview a call without running it', off: 'Turn it off', on: 'Turn it on' },
  enabled: 'Agents can use it',
  disabled: 'Agents cannot use it',
  rulesApply: 'Your rules still apply.',
  isOn: (tool: string, ledger: number) => `${tool} is on. Ledger #${ledger}.`,
  isOff: (tool: string, ledger: number) => `${tool} is off. Ledger #${ledger}.`,
})
