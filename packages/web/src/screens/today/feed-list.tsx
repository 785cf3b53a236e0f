/** The feed: what happened as a list of articles, each standing on entries of the ledger. */

import type { RunView } from '@countersign/contract'
import { Archive, CircleHelp, Undo2 } from 'lucide-react'
import { useId } from 'react'
import { Button, Chip, classes, KeyHint, Link, Safe, Sheet, Time } from '../../kit/index.ts'
import { moneyWords } from '../../language/format.ts'
import { TryAgain } from '../../thread/retrying.tsx'
import { words } from '../../words/today.tsx'
import { canUndo, headAndRest, type ItemGroup, isUndone, type ShownItem } from './feed-items.ts'

export interface FeedActions {
  readonly onArchive: (item: ShownItem) => void
  readonly onUndo: (item: ShownItem) => void
  readonly onWhy: (item: ShownItem) => void
  /** It has the focus, so the keys are about it. */
  readonly onCurrent: (key: string) => void
}

export interface FeedListProps extends FeedActions {
  readonly label: string
  readonly groups: readonly ItemGroup[]
  readonly goalTitle: (goal: string) => string
  readonly runOf: (run: string) => RunView | undefined
  readonly current: string | null
  /** The number key of an item, where it has one. */
  readonly numberOf: (key: string) => number | null
  readonly online: boolean
}

export function FeedList({ label, groups, goalTitle, ...rest }: FeedListProps) {
  const isPlain = groups.length === 1 && groups[0]?.goal === null
  return (
    <div role="group" aria-label={label} className="space-y-4">
      {groups.map(({ goal, items }) => (
        <div key={goal ?? ''}>
          {isPlain ? null : (
            <h3 className="mb-1.5">
              {goal === null ? (
                words.feed.noGoal
              ) : (
                <Link to={`/goals/${goal}`}>
                  <Safe text={goalTitle(goal)} />
                </Link>
              )}
            </h3>
          )}
          <Sheet padded={false}>
            <ul>
              {items.map((item) => (
                <li key={item.key} className="border-t border-line first:border-t-0">
                  <FeedArticle shown={item} heading={isPlain ? 'h3' : 'h4'} {...rest} />
                </li>
              ))}
            </ul>
          </Sheet>
        </div>
      ))}
    </div>
  )
}

export const articleId = (key: string) => `feed-${key}`

function FeedArticle({
  shown,
  heading: Heading,
  runOf,
  current,
  numberOf,
  online,
  onArchive,
  onUndo,
  onWhy,
  onCurrent,
}: Omit<FeedListProps, 'label' | 'groups' | 'goalTitle'> & { shown: ShownItem; heading: 'h3' | 'h4' }) {
  const id = useId()
  const { key, at, item } = shown
  const [head, rest] = headAndRest(item.text)
  const run = item.run === null ? undefined : runOf(item.run)
  const number = numberOf(key)
  const isCurrent = current === key
  return (
    <article
      id={articleId(key)}
      tabIndex={-1}
      aria-labelledby={id}
      aria-current={isCurrent ? 'true' : undefined}
      onFocus={() => onCurrent(key)}
      className={classes(
        'flex gap-x-3 px-4 py-3 outline-none max-sm:flex-col focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-act',
        isCurrent && 'bg-act-soft/50',
      )}
    >
      <span className="w-5 shrink-0 pt-px max-sm:hidden">
        {number === null ? null : <KeyHint keys={String(number)} />}
      </span>
      <div className="min-w-0 flex-1">
        <Heading id={id} className="text-base font-medium text-ink">
          <Safe text={head} />
        </Heading>
        {rest === '' ? null : (
          <p className="text-ink-2">
            <Safe text={rest} />
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-small text-ink-3">
          <Time at={run?.endedAt ?? at} />
          {run === undefined ? null : (
            <>
              <Dot />
              <Link to={`/activity/${run.id}`}>{words.feed.steps(run.calls)}</Link>
              <Dot />
              <span>{moneyWords(run.costUsd)}</span>
            </>
          )}
          <Dot />
          <Refs refs={item.refs} />
        </p>
      </div>
      <div className="-my-1 -me-2 flex shrink-0 items-start max-sm:-ms-3 max-sm:mt-0.5">
        <Button variant="quiet" icon={CircleHelp} onClick={() => onWhy(shown)}>
          {words.feed.why}
        </Button>
        {run?.reason === 'error' ? <TryAgain run={run.id} /> : null}
        {isUndone(run) ? <Chip className="mt-2 me-2">{words.feed.undone}</Chip> : null}
        {item.undoable && item.run !== null && canUndo(run) ? (
          <Button variant="quiet" icon={Undo2} disabled={!online} onClick={() => onUndo(shown)}>
            {words.feed.undo}
          </Button>
        ) : null}
        <Button variant="quiet" icon={Archive} onClick={() => onArchive(shown)}>
          {words.feed.archive}
        </Button>
      </div>
    </article>
  )
}

const shownRefs = 3

/** The entries that a sentence stands on. */
function Refs({ refs }: { refs: readonly number[] }) {
  return (
    <span className="contents">
      {refs.slice(0, shownRefs).map((ref) => (
        <Link key={ref} to={`/ledger/${ref}`} aria-label={words.feed.entry(ref)}>
          #{ref}
        </Link>
      ))}
      {refs.length > shownRefs ? <span>{words.more(refs.length - shownRefs)}</span> : null}
    </span>
  )
}

function Dot() {
  return (
    <span aria-hidden className="max-sm:hidden">
      ·
    </span>
  )
}
