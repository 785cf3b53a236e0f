/** The Goals screen: what agents work towards, where each stands, and what it may do; and the plans beside them. */

import type { GoalBoard } from '@countersign/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Button, EmptyState, ListDetail, Loaded, useListKeys, useOpened } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'
import { BoardPage } from './board.tsx'
import { AddGoalDialog } from './goal-form.tsx'
import { GoalPage } from './goal-page.tsx'
import { GoalRows } from './goal-row.tsx'
import { PlansScreen } from './plans/index.tsx'
import { GoalTabs } from './tabs.tsx'

export const screen: Screen = { component: GoalsScreen }

function GoalsScreen() {
  const { parts } = useRoute()
  return parts[0] === 'plans' ? <PlansScreen /> : <Goals />
}

function Goals() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const [adding, setAdding] = useState<string | null>(null)
  const board = useGateway(['goals', 'board'], (client) => client.goalBoard(), { everyMs: 60_000 })
  const columns = (board.data?.columns ?? []).filter(({ cards }) => cards.length > 0)
  const ids = columns.flatMap(({ cards }) => cards.map(({ goal }) => goal.id))
  const opened = useOpened(ids, chosen)
  const isEmpty = board.data !== undefined && ids.length === 0 && opened === null
  useKeys(words.title, [{ keys: 'n', label: words.actions.add, run: () => setAdding('') }])
  useAskedFor('add', () => setAdding(''))
  useListKeys(words.title, {
    ids,
    current: opened,
    onMove: (id) => route.go(route.href([id]), { replace: true }),
    onBack: () => route.go(route.base),
  })
  const dialog = adding === null ? null : <AddGoalDialog title={adding} onClose={() => setAdding(null)} />
  if (route.search['view'] === 'board' && chosen === null)
    return (
      <>
        <BoardPage board={board} onAdd={() => setAdding('')} />
        {dialog}
      </>
    )
  return (
    <>
      <ListDetail
        title={words.title}
        alone={isEmpty}
        note={board.data === undefined || isEmpty ? undefined : words.count(ids.length)}
        backTo={route.base}
        tools={<GoalTabs current="list" onAdd={isEmpty ? undefined : () => setAdding('')} />}
        list={
          <Loaded query={board} isEmpty={() => ids.length === 0} empty={<NoGoals onAdd={setAdding} />}>
            {() => <Columns columns={columns} opened={opened} />}
          </Loaded>
        }
        detail={opened === null ? null : <GoalPage key={opened} id={opened} />}
      />
      {dialog}
    </>
  )
}

function Columns({ columns, opened }: { columns: GoalBoard['columns']; opened: string | null }) {
  return columns.map(({ column, cards }) => (
    <section key={column} aria-label={words.columns[column]} className="mb-3">
      <h2 className="px-3 pt-1 pb-1 text-small font-normal tracking-normal text-ink-3">
        {words.columns[column]} · {cards.length}
      </h2>
      <GoalRows cards={cards} opened={opened} />
    </section>
  ))
}

function NoGoals({ onAdd }: { onAdd: (title: string) => void }) {
  return (
    <EmptyState
      className="px-2"
      sentence={words.empty}
      action={
        <div className="flex flex-col items-start gap-2">
          <Button variant="go" icon={Plus} onClick={() => onAdd('')}>
            {words.actions.add}
          </Button>
          {words.examples.map((title) => (
            <Button key={title} onClick={() => onAdd(title)}>
              {title}
            </Button>
          ))}
        </div>
      }
    />
  )
}
