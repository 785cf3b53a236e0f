/** What a draft would have decided about past calls: one sentence, and a small table. */

import type { PolicySimulation } from '@countersign/contract'
import { Table } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'

export function simulationSentence({
  calls,
  before,
  after,
  newlyAllowed,
  newlyRefused,
}: PolicySimulation): string {
  if (calls === 0) return words.simulate.noCalls
  return words.simulate.sentence(calls, before.ask - after.ask, newlyAllowed, newlyRefused)
}

const outcomes = ['allow', 'ask', 'deny'] as const

export function SimulationCounts({ simulation }: { simulation: PolicySimulation }) {
  const rows = [
    { name: words.simulate.now, counts: simulation.before },
    { name: words.simulate.draft, counts: simulation.after },
  ]
  return (
    <div className="mt-3 max-w-md">
      <Table
        caption={words.simulate.counts}
        columns={[
          { title: words.simulate.policy, cell: ({ name }) => name },
          ...outcomes.map((kind) => ({
            title: words.simulate.outcomes[kind],
            cell: ({ counts }: (typeof rows)[number]) => String(counts[kind]),
          })),
        ]}
        rows={rows}
        keyOf={({ name }) => name}
      />
    </div>
  )
}
