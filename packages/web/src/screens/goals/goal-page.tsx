/** One goal: what it is, its steps, what waits, and the limits of its work. */

import type { GoalDetail, StepView } from '@countersign/contract'
import { Circle, CircleCheck, CircleDot, CircleSlash, CircleX } from 'lucide-react'
import { useGateway } from '../../environment/queries.ts'
import {
  Chip,
  Commands,
  classes,
  EmptyState,
  Facts,
  Link,
  Loaded,
  Meter,
  Safe,
  SafeBlock,
  Section,
  Sheet,
  shellWord,
  TierChip,
  Time,
} from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { words } from '../../words/goals.tsx'

export function GoalPage({ id }: { id: string }) {
  const goal = useGateway(['goals', 'goal', id], (client) => client.goal(id))
  return <Loaded query={goal}>{(detail) => <Goal detail={detail} />}</Loaded>
}

function Goal({ detail }: { detail: GoalDetail }) {
  const { card, steps, subGoals, tasks } = detail
  const { goal, asks } = card
  return (
    <article>
      <div className="flex flex-wrap items-center gap-2 text-small text-ink-3">
        <Chip>{words.status[goal.status]}</Chip>
        {card.heldBy === null ? null : <Chip tone="waiting">{words.heldAbove}</Chip>}
        <span>{words.changed(<Time at={goal.updatedAt} />)}</span>
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={goal.title} />
      </h2>
      {card.path.length === 0 ? null : <p className="text-small text-ink-2">{card.path.join(' › ')}</p>}
      {goal.description === undefined ? null : (
        <SafeBlock text={goal.description} className="mt-2 max-w-prose text-ink-2" />
      )}
      {asks.length === 0 ? null : (
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
      )}
      <Section title={words.steps} aside={words.done(goal.progress)}>
        {steps.length === 0 ? (
          <EmptyState className="py-1" sentence={words.noSteps} />
        ) : (
          <Steps steps={steps} />
        )}
      </Section>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Section title={words.limits}>
          <Sheet>
            <Facts
              rows={[
                [
                  words.upTo,
                  card.tierMax === null ? (
                    words.noLimit
                  ) : (
                    <TierChip key="tier" tier={card.tierMax as 0 | 1 | 2 | 3 | 4} />
                  ),
                ],
                [words.hosts, goal.limits.hosts?.join(', ') ?? words.notLimited],
                [words.folders, goal.limits.folders?.join(', ') ?? words.notLimited],
                [words.tools, goal.limits.tools?.join(', ') ?? words.notLimited],
              ]}
            />
            <div className="mt-3">
              <Meter
                label={words.spentToday}
                value={card.spentTodayUsd}
                of={card.moneyPerDayUsd ?? 0}
                words={
                  card.moneyPerDayUsd === null
                    ? words.spentFree(moneyWords(card.spentTodayUsd))
                    : words.spentOf(moneyWords(card.spentTodayUsd), moneyWords(card.moneyPerDayUsd))
                }
              />
            </div>
          </Sheet>
        </Section>
        <Section title={words.learned}>
          <Sheet>
            {goal.learnings.length === 0 ? <p className="text-ink-3">{words.nothingLearned}</p> : null}
            <ul className="space-y-1.5">
              {goal.learnings.slice(-5).map((entry) => (
                <li key={entry.id}>
                  <Safe text={entry.text} /> <Time at={entry.at} className="text-small text-ink-3" />
                </li>
              ))}
            </ul>
          </Sheet>
        </Section>
      </div>
      {subGoals.length + tasks.length === 0 ? null : (
        <Section title={words.below}>
          <Sheet>
            {subGoals.map((sub) => (
              <div key={sub.id}>
                <Link to={`/goals/${sub.id}`}>{sub.title}</Link>
              </div>
            ))}
            {tasks.length === 0 ? null : <p className="text-ink-2">{words.tasks(tasks.length)}</p>}
          </Sheet>
        </Section>
      )}
      <Section title={words.terminal}>
        <Commands
          rows={[
            [
              goal.held ? words.commands.resume : words.commands.pause,
              `countersign goal ${goal.held ? 'resume' : 'pause'} ${shellWord(goal.id)}`,
            ],
            [words.commands.limit, `countersign goal set ${shellWord(goal.id)} --tier-max 1`],
            [words.commands.done, `countersign goal done ${shellWord(goal.id)}`],
          ]}
        />
      </Section>
    </article>
  )
}

const stepIcons = {
  pending: Circle,
  in_progress: CircleDot,
  completed: CircleCheck,
  skipped: CircleSlash,
  blocked: CircleX,
} as const

function Steps({ steps }: { steps: readonly StepView[] }) {
  return (
    <Sheet padded={false}>
      <ol>
        {steps.map((step) => {
          const Icon = stepIcons[step.status]
          return (
            <li
              key={step.id}
              className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0"
            >
              <Icon
                size={16}
                strokeWidth={1.75}
                aria-hidden
                className={classes('shrink-0', step.status === 'completed' ? 'text-ok' : 'text-ink-3')}
              />
              <Safe text={step.title} className="min-w-0 flex-1" />
              <span className="text-small text-ink-3">
                {step.status === 'pending' && step.ready ? words.nextStep : words.stepStates[step.status]}
              </span>
            </li>
          )
        })}
      </ol>
    </Sheet>
  )
}
