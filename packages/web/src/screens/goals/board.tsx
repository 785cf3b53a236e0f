/** Goals as a board: a column for each way in which a goal can stand. */
import type { GoalBoard } from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Loaded, Page } from '../../kit/index.ts'
import { words } from '../../words/goals.tsx'
import { GoalRows } from './goal-row.tsx'
import { GoalTabs } from './tabs.tsx'

export function BoardPage({ board, onAdd }: { board: UseQueryResult<GoalBoard>; onAdd: () => void }) {
  return (
    <Page title={words.title} width="full">
      <GoalTabs current="board" onAdd={onAdd} />
      <Loaded query={board} className="mt-4">
        {({ columns }) => (
          <div className="mt-4 grid gap-3 md:grid-cols-3 xl:grid-cols-5">
            {columns.map(({ column, cards }) => (
              <section key={column} className="rounded-2 border border-line bg-well/40 p-2">
                <h2 className="px-2 py-1 text-small font-[600] tracking-normal text-ink-2">
                  {words.columns[column]} <span className="text-ink-3">{cards.length}</span>
                </h2>
                {cards.length === 0 ? (
                  <p className="px-2 py-1 text-small text-ink-3">{words.boardEmpty}</p>
                ) : null}
                <GoalRows cards={cards} className="mb-1 rounded-2 border border-line bg-sheet" />
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}
