/** Goals in the list or on the board. */
import type { GoalCard } from '@countersign/contract'
import { useRoute } from '../../environment/route.ts'
import { Chip, Money, Row, Safe, useGrowing } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'
import { Due } from './due.tsx'

export function GoalRows({
  cards,
  opened = null,
  className,
}: {
  cards: readonly GoalCard[]
  opened?: string | null
  className?: string
}) {
  const route = useRoute()
  const { shown, more } = useGrowing(cards, ({ goal }) => goal.id === opened)
  return (
    <>
      {shown.map((card) => (
        <div key={card.goal.id} className={className}>
          <GoalRow card={card} to={route.href([card.goal.id])} current={card.goal.id === opened} />
        </div>
      ))}
      {more}
    </>
  )
}

function GoalRow({ card, to, current }: { card: GoalCard; to: string; current: boolean }) {
  const { goal, asks, nextStep, spentTodayUsd, stuckSince } = card
  return (
    <Row to={to} current={current}>
      <span className="flex items-baseline gap-2">
        <Safe text={goal.title} className="min-w-0 flex-1 font-medium" />
        <span className="text-small whitespace-nowrap text-ink-3">{goal.progress} %</span>
      </span>
      <span className="mt-0.5 block truncate text-small text-ink-2">
        {nextStep === null ? words.noNextStep : <Safe text={nextStep} />}
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-small text-ink-3">
        {asks.length > 0 ? <Chip tone="waiting">{words.asks(asks.length)}</Chip> : null}
        <Due goal={goal} />
        {stuckSince === null ? null : <Chip tone="bad">{words.stuck}</Chip>}
        <span>{words.today(<Money usd={spentTodayUsd} />)}</span>
      </span>
    </Row>
  )
}
