/** One extension among the others: how it stands, what it may reach, and whether it is used at all. */
import { Pause, Play } from 'lucide-react'
import { Button, Chip, Link, Safe, Sheet, TierChip, Time } from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import { useExtensionActs } from './extension-acts.ts'
import { StateChip } from './extension-state.tsx'
import { ReachChips } from './reach.tsx'
import type { ExtensionRow } from './rows.ts'

export function ExtensionCard({ row, to, online }: { row: ExtensionRow; to: string; online: boolean }) {
  const { name, state, isPaused, isPinned, from, waiting, more, tiers, reach } = row
  const acts = useExtensionActs(row)
  return (
    <Sheet className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="min-w-0 text-base font-[600] break-words">
          <Link to={to}>
            <Safe text={name} />
          </Link>
        </h3>
        <span className="ms-auto flex flex-wrap gap-1.5">
          {isPinned ? <Chip>{words.pinned}</Chip> : null}
          <StateChip state={state} />
        </span>
      </div>
      <p className="mt-0.5 text-small break-all text-ink-3">
        <Safe text={from} />
      </p>
      <ReachChips reach={reach} />
      {tiers.length === 0 ? null : (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-2">
          {tiers.map(([tier, count]) => (
            <span key={tier} className="inline-flex items-center gap-1">
              <TierChip tier={tier} /> {words.tools.count(count)}
            </span>
          ))}
        </p>
      )}
      <Used row={row} />
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-3">
        <Button size="small" icon={isPaused ? Play : Pause} disabled={!online} onClick={acts.togglePause}>
          {isPaused ? words.resume : words.pause}
          <span className="sr-only">
            {' '}
            <Safe text={name} />
          </span>
        </Button>
        {waiting === 0 || isPaused ? null : <Chip tone="waiting">{words.waiting(waiting)}</Chip>}
        {more === 0 ? null : <span className="text-small text-ink-3">{words.besides(more)}</span>}
      </div>
    </Sheet>
  )
}

function Used({ row: { use } }: { row: ExtensionRow }) {
  if (use.length === 0) return null
  const calls = use.reduce((sum, part) => sum + part.calls, 0)
  const last = use
    .flatMap(({ lastAt }) => lastAt ?? [])
    .toSorted()
    .at(-1)
  const unused = use.filter((part) => part.calls === 0).length
  return (
    <p className="mt-2 text-small text-ink-3">
      {last === undefined ? (
        words.use.neverShort
      ) : (
        <>
          {words.use.calls(calls)}, {words.use.last(<Time at={last} />)}
          {unused === 0 ? '' : `, ${words.tools.count(unused)} ${words.use.neverShort}`}
        </>
      )}
    </p>
  )
}
