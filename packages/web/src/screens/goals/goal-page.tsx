/** One goal: what it is, its steps, what waits, and the limits of its work. */
import type { GoalDetail, StepView } from '@countersign/contract'
import { Circle, CircleCheck, CircleDot, CircleSlash, CircleX } from 'lucide-react'
import { useGateway } from '../../data/queries.ts'
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
        <Chip>{goal.status}</Chip>
        {card.heldBy === null ? null : <Chip tone="waiting">held by a goal above it</Chip>}
        <span>
          changed <Time at={goal.updatedAt} />
        </span>
      </div>
      <h2 className="mt-2 text-title">
        <Safe text={goal.title} />
      </h2>
      {card.path.length === 0 ? null : <p className="text-small text-ink-2">{card.path.join(' › ')}</p>}
      {goal.description === undefined ? null : (
        <SafeBlock text={goal.description} className="mt-2 max-w-prose text-ink-2" />
      )}
      {asks.length === 0 ? null : (
        <Section title="Waits for you">
          <Sheet padded={false}>
            {asks.map((ask) => (
              <div
                key={ask.ref}
                className="flex items-center gap-3 border-b border-line px-4 py-2 last:border-b-0"
              >
                <Safe text={ask.text} className="min-w-0 flex-1" />
                <Link to={ask.kind === 'approval' ? `/approvals/${ask.ref}` : '/'}>Review</Link>
              </div>
            ))}
          </Sheet>
        </Section>
      )}
      <Section title="Steps" aside={`${goal.progress} % done`}>
        {steps.length === 0 ? (
          <EmptyState className="py-1" sentence="No steps are written down." />
        ) : (
          <Steps steps={steps} />
        )}
      </Section>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Section title="Limits">
          <Sheet>
            <Facts
              rows={[
                [
                  'Up to',
                  card.tierMax === null ? (
                    'no limit'
                  ) : (
                    <TierChip key="tier" tier={card.tierMax as 0 | 1 | 2 | 3 | 4} />
                  ),
                ],
                ['Hosts', goal.limits.hosts?.join(', ') ?? 'not limited'],
                ['Folders', goal.limits.folders?.join(', ') ?? 'not limited'],
                ['Tools', goal.limits.tools?.join(', ') ?? 'not limited'],
              ]}
            />
            <div className="mt-3">
              <Meter
                label="Spent today"
                value={card.spentTodayUsd}
                of={card.moneyPerDayUsd ?? 0}
                words={`${moneyWords(card.spentTodayUsd)} ${card.moneyPerDayUsd === null ? 'without a limit' : `of ${moneyWords(card.moneyPerDayUsd)}`}`}
              />
            </div>
          </Sheet>
        </Section>
        <Section title="Learned">
          <Sheet>
            {goal.learnings.length === 0 ? <p className="text-ink-3">Nothing yet.</p> : null}
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
        <Section title="Below it">
          <Sheet>
            {subGoals.map((sub) => (
              <div key={sub.id}>
                <Link to={`/goals/${sub.id}`}>{sub.title}</Link>
              </div>
            ))}
            {tasks.length === 0 ? null : <p className="text-ink-2">{tasks.length} tasks of agents</p>}
          </Sheet>
        </Section>
      )}
      <Section title="Change it in a terminal">
        <Commands
          rows={[
            [
              goal.held ? 'Let its work go on' : 'Hold it and everything under it',
              `countersign goal ${goal.held ? 'resume' : 'pause'} ${shellWord(goal.id)}`,
            ],
            ['Change a limit', `countersign goal set ${shellWord(goal.id)} --tier-max 1`],
            ['Say that it is done', `countersign goal done ${shellWord(goal.id)}`],
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

const stepWords = {
  pending: 'to do',
  in_progress: 'under way',
  completed: 'done',
  skipped: 'left out',
  blocked: 'blocked',
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
                {step.status === 'pending' && step.ready ? 'next' : stepWords[step.status]}
              </span>
            </li>
          )
        })}
      </ol>
    </Sheet>
  )
}
