/** The Goals screen: what agents work towards, where each stands, and what it may do. */

import type { GoalCard } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Chip, EmptyState, ListDetail, Loaded, Money, Row, Safe, useListKeys } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'
import { GoalPage } from './goal-page.tsx'

export const screen: Screen = { component: GoalsScreen }

function GoalsScreen() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const board = useGateway(['goals', 'board'], (client) => client.goalBoard(), { everyMs: 60_000 })
  const columns = (board.data?.columns ?? []).filter(({ cards }) => cards.length > 0)
  const ids = columns.flatMap(({ cards }) => cards.map(({ goal }) => goal.id))
  useListKeys(words.title, {
    ids,
    current: chosen,
    onMove: (id) => route.go(route.href([id]), { replace: true }),
    onBack: () => route.go(route.base),
  })
  return (
    <ListDetail
      title={words.title}
      note={board.data === undefined ? undefined : words.count(ids.length)}
      backTo={route.base}
      list={
        <Loaded
          query={board}
          isEmpty={() => ids.length === 0}
          empty={
            <EmptyState
              className="px-2"
              sentence={words.empty}
              example={'countersign goal add "File the receipts of each month"'}
            />
          }
        >
          {() =>
            columns.map(({ column, cards }) => (
              <section key={column} aria-label={words.columns[column]} className="mb-3">
                <h2 className="px-3 pt-1 pb-1 text-small font-normal tracking-normal text-ink-3">
                  {words.columns[column]} · {cards.length}
                </h2>
                {cards.map((card) => (
                  <GoalRow
                    key={card.goal.id}
                    card={card}
                    to={route.href([card.goal.id])}
                    current={card.goal.id === chosen}
                  />
                ))}
              </section>
            ))
          }
        </Loaded>
      }
      detail={chosen === null ? null : <GoalPage key={chosen} id={chosen} />}
      placeholder={ids.length === 0 ? null : <p className="text-ink-3">{words.choose}</p>}
    />
  )
}

function GoalRow({ card, to, current }: { card: GoalCard; to: string; current: boolean }) {
  const { goal, asks, nextStep, spentTodayUsd, stuckSince } = card
  return (
    <Row to={to} current={current}>
      <span className="flex items-baseline gap-2">
        <Safe text={goal.title} className="min-w-0 flex-1 font-medium" />
        <span className="text-small text-ink-3">{goal.progress} %</span>
      </span>
      <span className="mt-0.5 block truncate text-small text-ink-2">
        {nextStep === null ? words.noNextStep : <Safe text={nextStep} />}
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-1.5 text-small text-ink-3">
        {asks.length > 0 ? <Chip tone="waiting">{words.asks(asks.length)}</Chip> : null}
        {goal.overdue ? <Chip tone="bad">{words.overdue}</Chip> : null}
        {stuckSince === null ? null : <Chip tone="bad">{words.stuck}</Chip>}
        <span>{words.today(<Money usd={spentTodayUsd} />)}</span>
      </span>
    </Row>
  )
}
