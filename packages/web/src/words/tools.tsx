/** What the Tools screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('tools', {
  title: 'Tools',
  count: (count: number) => plural(count, { one: '# tool', other: '# tools' }),
  called: (calls: number) => plural(calls, { one: '# call in 30 days', other: '# calls in 30 days' }),
  filterLabel: 'Filter tools',
  filter: 'Filter',
  noMatch: 'No tool matches this filter.',
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
    node: 'on another computer of yours, in its sandbox',
    unwrapped: 'as a separate program',
  },
  undo: 'Undo',
  noUndo: 'not possible',
  secret: 'Secret',
  secretKept: (name: string) => `${name}, kept`,
  secretMissing: (name: string, command: string) =>
    `${name} is missing. Add it under Settings, or with ${command}.`,
  secretsMissing: 'Secret missing',
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
  noArguments: 'It takes no arguments.',
  argument: {
    name: 'Name',
    kind: 'Value',
    required: 'Required',
    about: 'What it is',
    yes: 'yes',
    no: 'no',
    kinds: { text: 'text', number: 'number', boolean: 'yes or no', choice: 'one of', other: 'JSON' },
  },
  perDay: (counts: string) => `Calls on each of the last 30 days: ${counts}`,
  used: (calls: number, median: string | null) =>
    median === null
      ? plural(calls, { one: '# call', other: '# calls' })
      : `${plural(calls, { one: '# call', other: '# calls' })}, median ${median}`,
  showAll: 'Show all tools',
  state: 'On, off or used',
  states: { all: 'On and off', on: 'On', off: 'Off', used: 'Used', unused: 'Never used' },
  tier: 'Tier',
  anyTier: 'Any tier',
  onlyGroup: (group: string) => `Only ${group}. Show all`,
  groups: {
    title: 'Groups',
    about: 'Turn whole groups on or off. Agents only see tools that are on, and your rules still apply.',
    needs: (about: string, needs: string) => `${about} Needs ${needs}.`,
  },
  tryIt: {
    title: 'Try it',
    about: 'Preview runs nothing. Run makes the call as you, and asks for approval where your rules say so.',
    preview: 'Preview',
    run: 'Run',
    required: (name: string) => `${name} (required)`,
    notGiven: 'Not given',
    yes: 'Yes',
    no: 'No',
    json: (about: string) => (about === '' ? 'As JSON.' : `${about} As JSON.`),
    started: (tool: string) => `Started ${tool}.`,
    open: 'Open',
    decisions: { allow: 'Would run without asking', ask: 'Would ask you', deny: 'Would be denied' },
  },
  enabled: 'Agents can use it',
  disabled: 'Agents cannot use it',
  rulesApply: 'Your rules still apply.',
  isOn: (tool: string, ledger: number) => `${tool} is on. Ledger #${ledger}.`,
  isOff: (tool: string, ledger: number) => `${tool} is off. Ledger #${ledger}.`,
})
