/** Since you last looked: what the feed tells, what of it is new, and having it told now. */
import { recentRuns } from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLive, usePreferences } from '../../app/services.tsx'
import { useChange, useGateway, useRuns } from '../../data/queries.ts'
import { EmptyState, KeyHint, Link, Menu, Time, useNotify } from '../../kit/index.ts'
import { countWords } from '../../language/plural.ts'
import { Block, Known } from './block.tsx'
import { byGoal, type ShownItem } from './feed-items.ts'
import { type FeedActions, FeedList } from './feed-list.tsx'

export interface SinceProps extends FeedActions {
  readonly query: UseQueryResult<unknown>
  readonly items: readonly ShownItem[]
  readonly looked: string | null
  /** When it was told last; null if never. */
  readonly toldAt: string | null
  readonly current: string | null
  readonly numberOf: (key: string) => number | null
  readonly online: boolean
  /** Whether anything will run by itself. */
  readonly isQuiet: boolean
}

export function Since({ query, items, looked, toldAt, isQuiet, online, ...list }: SinceProps) {
  const fresh = items.filter(({ isNew }) => isNew)
  const earlier = items.filter(({ isNew }) => !isNew)
  const hasGoals = items.some(({ item }) => item.goal !== null)
  const board = useGateway(['goals', 'board'], (client) => client.goalBoard(), { enabled: hasGoals })
  const runs = useRuns()
  const titles = useMemo(
    () =>
      new Map(
        (board.data?.columns ?? []).flatMap(({ cards }) => cards.map(({ goal }) => [goal.id, goal.title])),
      ),
    [board.data],
  )
  const byId = useMemo(() => new Map((runs.data ?? []).map((run) => [run.id as string, run])), [runs.data])
  const shared = {
    ...list,
    online,
    goalTitle: (goal: string) => titles.get(goal) ?? goal,
    runOf: (run: string) => byId.get(run),
  }
  return (
    <Block
      title="Since you last looked"
      note={looked === null ? undefined : <Time at={looked} />}
      aside={<TellMenu online={online} />}
    >
      <Untold since={toldAt ?? looked} />
      <Known query={query}>
        {() => (
          <>
            {fresh.length === 0 ? (
              <EmptyState
                className="py-1!"
                sentence={
                  earlier.length > 0
                    ? 'Nothing new was told.'
                    : isQuiet
                      ? 'Nothing happened. Nothing will happen until you ask or enable an automation.'
                      : 'Nothing happened yet.'
                }
                {...(earlier.length === 0 && isQuiet
                  ? { example: 'countersign ask "What can you do here?"' }
                  : {})}
                {...(earlier.length === 0 && isQuiet ? { action: <Link to="/chat">Ask in Chat</Link> } : {})}
              />
            ) : (
              <FeedList label="New" groups={byGoal(fresh)} {...shared} />
            )}
            {items.length === 0 ? null : <KeyLine />}
            {earlier.length === 0 ? null : (
              <details className="mt-4" open={fresh.length === 0}>
                <summary className="target mb-2 text-small font-medium text-ink-2">
                  Earlier, {countWords(earlier.length, 'thing')}
                </summary>
                <FeedList label="Earlier" groups={byGoal(earlier)} {...shared} />
              </details>
            )}
          </>
        )}
      </Known>
    </Block>
  )
}

/** What the letters do, for whoever has a keyboard. */
function KeyLine() {
  const { letters } = usePreferences()
  if (!letters) return null
  return (
    <p
      aria-hidden
      className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3 pointer-coarse:hidden"
    >
      {keyWords.map(([keys, label]) => (
        <span key={keys} className="inline-flex items-center gap-1.5">
          <KeyHint keys={keys} /> {label}
        </span>
      ))}
    </p>
  )
}

const keyWords = [
  ['j', 'next'],
  ['w', 'why'],
  ['u', 'undo'],
  ['e', 'archive'],
] as const

/** Runs that ended after the feed was told: they are nowhere on this page yet. */
function Untold({ since }: { since: string | null }) {
  const state = useLive((live) => live.state)
  const ended = useMemo(
    () =>
      since === null
        ? 0
        : recentRuns(state).filter(
            ({ endedAt }) => endedAt !== null && Date.parse(endedAt) > Date.parse(since),
          ).length,
    [state, since],
  )
  if (ended === 0) return null
  return (
    <p className="mb-2 text-small text-ink-2">
      {countWords(ended, 'run')} ended after this was told. <Link to="/activity">See Activity</Link>, or have
      it told now.
    </p>
  )
}

function TellMenu({ online }: { online: boolean }) {
  const notify = useNotify()
  const tell = useChange((client, worded: boolean) => client.makeFeed(worded), [['feed']])
  const run = (worded: boolean) =>
    tell.mutate(worded, {
      onSuccess: ({ feed, ledger }) =>
        notify({
          text:
            feed.items.length === 0
              ? `Nothing happened since the last time. Ledger #${ledger}.`
              : `${countWords(feed.items.length, 'thing')} told${worded ? '; a model words it in a moment' : ''}. Ledger #${ledger}.`,
        }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <Menu
      className="-my-1.5 -me-3"
      label={tell.isPending ? 'Telling…' : 'Tell me now'}
      items={[
        {
          label: 'From the ledger',
          detail: 'At once and without a model. Costs nothing.',
          disabled: !online || tell.isPending,
          run: () => run(false),
        },
        {
          label: 'Worded by a model',
          detail: 'From the same entries, within the budget of the feed.',
          disabled: !online || tell.isPending,
          run: () => run(true),
        },
      ]}
    />
  )
}
