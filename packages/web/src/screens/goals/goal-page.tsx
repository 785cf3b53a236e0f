/** One goal: what it is, what can be done with it, its steps, what waits, its limits, its runs. */

import type { GoalAsk, GoalDetail } from '@countersign/contract'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { Button, Chip, Link, Loaded, Safe, SafeBlock, Section, Sheet, Time } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'
import { Due } from './due.tsx'
import { GoalActions, type GoalWindow } from './goal-actions.tsx'
import { GoalBelow } from './goal-below.tsx'
import { GoalEntries } from './goal-entries.tsx'
import { GoalRuns } from './goal-runs.tsx'
import { GoalSteps } from './goal-steps.tsx'
import { LimitFacts } from './limits-dialog.tsx'

export function GoalPage({ id }: { id: string }) {
  const goal = useGateway(['goals', 'goal', id], (client) => client.goal(id))
  return <Loaded query={goal}>{(detail) => <Goal detail={detail} />}</Loaded>
}

function Goal({ detail }: { detail: GoalDetail }) {
  const { card, steps } = detail
  const { goal, asks } = card
  const [window, setWindow] = useState<GoalWindow>(null)
  return (
    <article>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <Chip>{words.status[goal.status]}</Chip>
        {card.heldBy === null ? null : <Chip tone="waiting">{words.heldAbove}</Chip>}
        <Due goal={goal} />
        <span>{words.changed(<Time at={goal.updatedAt} />)}</span>
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={goal.title} />
      </h2>
      {card.path.length === 0 ? null : (
        <p className="text-small text-ink-2">
          <Safe text={card.path.join(' › ')} />
        </p>
      )}
      {goal.description === undefined ? null : (
        <SafeBlock text={goal.description} className="mt-2 max-w-prose text-ink-2" />
      )}
      <GoalActions goal={goal} window={window} onWindow={setWindow} />
      <Asks asks={asks} />
      <Section title={words.steps} aside={words.done(goal.progress)}>
        <GoalSteps goal={goal.id} steps={steps} onSuggest={() => setWindow('talk')} />
      </Section>
      <GoalRuns goal={goal} />
      <GoalBelow detail={detail} />
      <Section
        title={words.limits}
        aside={
          <Button variant="quiet" size="small" onClick={() => setWindow('limits')}>
            {words.actions.limits}
          </Button>
        }
      >
        <LimitFacts card={card} />
      </Section>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <GoalEntries goal={goal} list="notes" />
        <GoalEntries goal={goal} list="learnings" />
      </div>
    </article>
  )
}

function Asks({ asks }: { asks: readonly GoalAsk[] }) {
  if (asks.length === 0) return null
  return (
    <Section title={words.waitsForYou}>
      <Sheet padded={false}>
        {asks.map((ask) => (
          <div
            key={ask.ref}
            className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0"
          >
            <Safe text={ask.text} className="min-w-0 flex-1" />
            <Link to={ask.kind === 'approval' ? `/approvals/${ask.ref}` : '/'}>{words.review}</Link>
          </div>
        ))}
      </Sheet>
    </Section>
  )
}
