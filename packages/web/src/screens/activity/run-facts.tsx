/** What is known of a run besides what it did, in one line that wraps. */

import type { RunDetail } from '@countersign/contract'
import type { ReactNode } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { Link, Money, Safe } from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { words } from '../../words/activity.tsx'

export function RunFacts({ detail }: { detail: RunDetail }) {
  const { run } = detail
  const facts: readonly [label: string, value: ReactNode][] = [
    [words.run.ownTime, lengthWords(ownTime(detail))],
    [words.run.waited, run.waitedMs === 0 ? null : lengthWords(run.waitedMs)],
    [words.run.cost, <Money key="cost" usd={run.costUsd} />],
    [words.run.calls, run.problems === 0 ? String(run.calls) : words.run.problems(run.calls, run.problems)],
    [words.run.agent, run.agent],
    [words.run.goal, run.goal === null ? null : <GoalLink key="goal" id={run.goal} />],
    [
      words.run.automation,
      run.schedule === null ? null : <AutomationLink key="automation" id={run.schedule} />,
    ],
  ]
  return (
    <dl className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-small">
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label} className="flex gap-1.5">
            <dt className="text-ink-3">{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** By its name; by its id while that is asked for, or where it is gone. */
function AutomationLink({ id }: { id: string }) {
  const { data } = useGateway(['schedules'], (client) => client.schedules())
  const name = data?.find((each) => each.id === id)?.name
  return (
    <Link to={`/automations/${id}`}>
      <Safe text={name ?? id} />
    </Link>
  )
}

function GoalLink({ id }: { id: string }) {
  const { data } = useGateway(['goals', 'names'], (client) => client.goals())
  const title = data?.find((each) => each.id === id)?.title
  return (
    <Link to={`/goals/${id}`}>
      <Safe text={title ?? id} />
    </Link>
  )
}

function ownTime({ run }: RunDetail): number {
  const end = run.endedAt === null ? Date.now() : Date.parse(run.endedAt)
  return Math.max(0, end - Date.parse(run.startedAt) - run.waitedMs)
}
