/** Since you last looked: what the feed tells, what of it is new, and having it told now. */

import { type RunLive, recentRuns } from '@countersign/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useChange, useGateway, useRuns } from '../../environment/queries.ts'
import { useLive, usePreferences } from '../../environment/services.tsx'
import {
  Button,
  ButtonLink,
  EmptyState,
  KeyHint,
  Link,
  Menu,
  Safe,
  Time,
  useNotify,
} from '../../kit/index.ts'
import { TryAgain } from '../../thread/retrying.tsx'
import { words } from '../../words/today.tsx'
import { Block, Known } from './block.tsx'
import { byGoal, type ShownItem } from './feed-items.ts'
import { type FeedActions, FeedList } from './feed-list.tsx'

export interface SinceProps extends FeedActions {
  readonly query: UseQueryResult<unknown>
  readonly items: readonly ShownItem[]
  readonly lastVisitAt: string | null
  /** When it was told last; null if never. */
  readonly toldAt: string | null
  readonly current: string | null
  readonly numberOf: (key: string) => number | null
  readonly online: boolean
  /** Whether anything will run by itself. */
  readonly isQuiet: boolean
}

export function Since({ query, items, lastVisitAt, toldAt, isQuiet, online, ...list }: SinceProps) {
  const fresh = items.filter(({ isNew }) => isNew)
  const earlier = items.filter(({ isNew }) => !isNew)
  const hasGoals = items.some(({ item }) => item.goal !== null)
  const board = useGateway(['goals', 'board'], (client) => client.goalBoard(), { enabled: hasGoals })
  const runs = useRuns()
  const untold = useUntold(toldAt)
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
      title={words.feed.title}
      note={lastVisitAt === null ? undefined : <Time at={lastVisitAt} />}
      aside={
        <>
          {fresh.length > 1 ? (
            <Button
              variant="quiet"
              className="-my-1.5"
              onClick={() => {
                for (const item of fresh) list.onArchive(item)
              }}
            >
              {words.feed.dismissAll}
            </Button>
          ) : null}
          <TellMenu online={online} />
        </>
      }
    >
      <Untold since={toldAt} />
      <Known query={query}>
        {() => (
          <>
            {fresh.length === 0 && untold.length > 0 && earlier.length === 0 ? null : fresh.length === 0 ? (
              <EmptyState
                className="py-1!"
                sentence={
                  earlier.length > 0
                    ? words.feed.nothingNew
                    : isQuiet
                      ? words.feed.quiet
                      : words.feed.nothingYet
                }
                {...(earlier.length === 0 && isQuiet
                  ? { action: <ButtonLink to="/chat/new">{words.feed.askInChat}</ButtonLink> }
                  : {})}
              />
            ) : (
              <FeedList label={words.feed.fresh} groups={byGoal(fresh)} {...shared} />
            )}
            {items.length === 0 ? null : <KeyLine />}
            {earlier.length === 0 ? null : (
              <details className="mt-4" open={fresh.length === 0}>
                <summary className="target mb-2 text-small font-medium text-ink-2">
                  {words.feed.earlierCount(earlier.length)}
                </summary>
                <FeedList label={words.feed.earlier} groups={byGoal(earlier)} {...shared} />
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
  ['j', words.feed.keys.next],
  ['w', words.feed.keys.why],
  ['u', words.feed.keys.undo],
  ['e', words.feed.keys.archive],
] as const

/** Runs that ended after the feed was told: they stand nowhere else on this page yet. */
function useUntold(since: string | null): readonly RunLive[] {
  const state = useLive((live) => live.state)
  const runs = useRuns()
  return useMemo(() => {
    // What the operator does, such as an undo, is no news to the operator.
    const own = new Set((runs.data ?? []).filter(({ kind }) => kind !== 'agent').map(({ id }) => id))
    return recentRuns(state).filter(
      ({ id, endedAt }) =>
        !own.has(id) && endedAt !== null && (since === null || Date.parse(endedAt) > Date.parse(since)),
    )
  }, [state, since, runs.data])
}

const shownUntold = 5

function Untold({ since }: { since: string | null }) {
  const ended = useUntold(since)
  const runs = useRuns()
  const byId = useMemo(() => new Map((runs.data ?? []).map((run) => [run.id as string, run])), [runs.data])
  if (ended.length === 0) return null
  return (
    <div className="mb-3">
      <p className="text-small text-ink-2">
        {words.feed.untold(ended.length)} <Link to="/activity">{words.feed.openActivity}</Link>
      </p>
      <ul className="mt-1 space-y-0.5">
        {ended.slice(0, shownUntold).map(({ id, endedAt, reason }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2">
            <Link to={`/activity/${id}`} className="min-w-0">
              <Safe text={(byId.get(id)?.asked ?? '').slice(0, 120) || words.feed.aRun} />
            </Link>
            <Time at={endedAt} className="text-small text-ink-3" />
            {reason === 'error' ? <TryAgain run={id} /> : null}
          </li>
        ))}
      </ul>
    </div>
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
              ? words.feed.toldNothing(ledger)
              : (worded ? words.feed.toldSoon : words.feed.told)(feed.items.length, ledger),
        }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <Menu
      className="-my-1.5 -me-3"
      label={tell.isPending ? words.feed.telling : words.feed.tell}
      items={[
        {
          label: words.feed.fromLedger,
          detail: words.feed.fromLedgerDetail,
          disabled: !online || tell.isPending,
          run: () => run(false),
        },
        {
          label: words.feed.byModel,
          detail: words.feed.byModelDetail,
          disabled: !online || tell.isPending,
          run: () => run(true),
        },
      ]}
    />
  )
}
