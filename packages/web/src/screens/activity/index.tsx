/** The Activity screen: every run, what it did and what came of it. */

import type { RunId, RunView } from '@countersign/contract'
import { useMemo } from 'react'
import { useRuns } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import {
  ButtonLink,
  Chip,
  EmptyState,
  ListDetail,
  Loaded,
  Money,
  Row,
  StaleNote,
  TierChip,
  Time,
  useIsNarrow,
  useListKeys,
  useNow,
  VirtualList,
} from '../../kit/index.ts'
import { runTone } from '../../thread/run-tone.ts'
import { words } from '../../words/activity.tsx'
import { words as common } from '../../words/common.ts'
import { runTitle } from './asked-line.ts'
import { FilterBar } from './filter-bar.tsx'
import { filtered, type RunFilter } from './filters.ts'
import { RunPage } from './run-page.tsx'
import { runWord } from './run-word.ts'
import { StopAll } from './stop-all.tsx'

export const screen: Screen = { component: ActivityScreen }

function ActivityScreen() {
  const route = useRoute()
  const runs = useRuns()
  const id = (route.parts[0] ?? null) as RunId | null
  const wanted: RunFilter = route.search
  const now = useNow(60_000)
  const shown = useMemo(() => filtered(runs.data ?? [], wanted, now), [runs.data, wanted, now])
  const isFiltered = Object.keys(wanted).some((key) => !['view', 'undo', 'internal'].includes(key))
  const open = useIsNarrow() ? id : (id ?? shown[0]?.id ?? null)
  const move = (to: string) => route.go(route.href([to], wanted), { replace: true })
  useListKeys(words.title, {
    ids: shown.map((run) => run.id),
    current: open,
    onMove: move,
    onOpen: move,
    onBack: () => route.go(route.href([], wanted)),
  })
  return (
    <ListDetail
      title={words.title}
      alone={runs.data?.length === 0 && id === null}
      note={runs.data === undefined || runs.data.length === 0 ? undefined : words.count(shown.length)}
      tools={<StopAll runs={runs.data ?? []} />}
      backTo={route.href([], wanted)}
      scrolls={false}
      list={
        <>
          {runs.data?.length === 0 ? null : <FilterBar runs={runs.data ?? []} wanted={wanted} />}
          <Loaded
            query={runs}
            isEmpty={() => shown.length === 0}
            empty={
              <EmptyState
                className="px-2 md:px-5"
                sentence={isFiltered ? words.noMatch : words.empty}
                action={<ButtonLink to="/chat/new">{words.ask}</ButtonLink>}
              />
            }
          >
            {() => (
              <>
                <StaleNote at={null} className="px-3" />
                <VirtualList
                  label={words.list}
                  rows={shown}
                  keyOf={(run) => run.id}
                  follow={open}
                  estimate={92}
                  className="h-[70dvh] flex-1 px-3 md:h-auto"
                  render={(run) => (
                    <RunRow run={run} current={run.id === open} to={route.href([run.id], wanted)} />
                  )}
                />
              </>
            )}
          </Loaded>
        </>
      }
      detail={open === null ? null : <RunPage key={open} id={open} />}
      placeholder={<p className="text-ink-2">{words.choose}</p>}
    />
  )
}

function RunRow({ run, current, to }: { run: RunView; current: boolean; to: string }) {
  const word = runWord(run)
  return (
    <Row to={to} current={current}>
      <div className="flex items-center justify-between gap-2">
        <span className="flex flex-wrap gap-1.5">
          <Chip tone={runTone(word)}>{common.runState[word]}</Chip>
          {run.undone === 0 ? null : <Chip>{words.run.undone(run.undone, run.undoable)}</Chip>}
        </span>
        <span className="text-small text-ink-3">
          <Time at={run.startedAt} />
        </span>
      </div>
      <p className="mt-0.5 line-clamp-2 font-medium">{runTitle(run)}</p>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-ink-2">
        <span>{words.calls(run.calls)}</span>
        <Money usd={run.costUsd} />
        {run.schedule === null ? null : <span>{words.automation}</span>}
        {run.tier !== null && run.tier >= 2 ? <TierChip tier={run.tier} /> : null}
      </p>
    </Row>
  )
}
