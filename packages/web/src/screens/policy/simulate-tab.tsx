/** The simulation of a draft: over how long, and each call that comes out differently. */
import type { SimulatedCall } from '@countersign/contract'
import { useState } from 'react'
import {
  Chip,
  Choice,
  EmptyState,
  Link,
  Loaded,
  Safe,
  Select,
  Sheet,
  TierChip,
  Time,
} from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { ChangePanel } from './change-panel.tsx'
import { useSimulation } from './draft-queries.ts'
import { usePolicyDraft } from './policy-draft.tsx'

const filters = ['all', 'allow', 'ask', 'deny'] as const
type Filter = (typeof filters)[number]

export function SimulateTab() {
  const { isChanged } = usePolicyDraft()
  const [days, setDays] = useState(30)
  const [filter, setFilter] = useState<Filter>('all')
  const simulation = useSimulation(days, isChanged)
  if (!isChanged)
    return (
      <EmptyState
        sentence={words.simulate.empty}
        action={<Link to="/policy/edit">{words.simulate.edit}</Link>}
      />
    )
  return (
    <>
      <h2 className="sr-only">{words.tabs.simulate}</h2>
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <div className="w-44">
          <Select
            label={words.simulate.window}
            value={String(days)}
            options={[7, 30, 90, 365].map((each): [string, string] => [
              String(each),
              words.simulate.days(each),
            ])}
            onChange={(event) => setDays(Number(event.target.value))}
          />
        </div>
        <Choice
          label={words.simulate.show}
          value={filter}
          options={filters.map((value) => ({ value, label: words.simulate.filters[value] }))}
          onChange={setFilter}
        />
      </div>
      <ChangePanel days={days} />
      <Loaded query={simulation}>
        {({ changed }) => (
          <ChangedCalls calls={changed.filter(({ after }) => filter === 'all' || after === filter)} />
        )}
      </Loaded>
    </>
  )
}

function ChangedCalls({ calls }: { calls: readonly SimulatedCall[] }) {
  if (calls.length === 0) return <p className="text-ink-2">{words.simulate.none}</p>
  return (
    <Sheet padded={false}>
      <ul aria-label={words.simulate.changed}>
        {calls.map((call) => (
          <ChangedCall key={call.call} call={call} />
        ))}
      </ul>
    </Sheet>
  )
}

const tones = { allow: 'ok', ask: 'waiting', deny: 'bad' } as const

function ChangedCall({ call }: { call: SimulatedCall }) {
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-[min(100%,16rem)] flex-1">
          <Link to={`/activity/${call.run}`}>
            <Safe text={call.headline} />
          </Link>
        </span>
        <TierChip tier={call.tier} />
        <span className="inline-flex items-center gap-1.5 text-small text-ink-2">
          {words.simulate.outcomes[call.before]} →{' '}
          <Chip tone={tones[call.after]}>{words.simulate.outcomes[call.after]}</Chip>
        </span>
        <span className="text-small text-ink-3">
          <Time at={call.at} />
        </span>
      </div>
      <p className="text-small text-ink-2">
        <Safe text={call.reason} />
      </p>
    </li>
  )
}
