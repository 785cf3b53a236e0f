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
  Safe,
  Select,
  StaleNote,
  TierChip,
  Time,
  useListKeys,
  VirtualList,
} from '../../kit/index.ts'
import { runTone } from '../../thread/run-tone.ts'
import { words } from '../../words/activity.tsx'
import { words as common } from '../../words/common.ts'
import { RunPage } from './run-page.tsx'
import { runWord } from './run-word.ts'

export const screen: Screen = { component: ActivityScreen }

const states = [
  'running',
  'waiting for you',
  'done',
  'done with problems',
  'failed',
  'stopped by you',
  'over budget',
] as const

function ActivityScreen() {
  const route = useRoute()
  const runs = useRuns()
  const id = (route.parts[0] ?? null) as RunId | null
  const wanted = route.search['state']
  const shown = useMemo(
    () => (runs.data ?? []).filter((run) => wanted === undefined || runWord(run) === wanted),
    [runs.data, wanted],
  )
  const move = (to: string) => route.go(route.href([to], { state: wanted }), { replace: true })
  useListKeys(words.title, {
    ids: shown.map((run) => run.id),
    current: id,
    onMove: move,
    onOpen: move,
    onBack: () => route.go(route.href([], { state: wanted })),
  })
  return (
    <ListDetail
      title={words.title}
      note={runs.data === undefined ? undefined : words.count(shown.length)}
      tools={
        <Select
          label={words.state}
          hideLabel
          value={wanted ?? ''}
          options={[
            ['', words.everyState],
            ...states.map((state): [string, string] => [state, common.runState[state]]),
          ]}
          onChange={(event) => route.ask({ state: event.target.value || undefined })}
        />
      }
      backTo={route.href([], { state: wanted })}
      scrolls={false}
      list={
        <Loaded
          query={runs}
          isEmpty={() => shown.length === 0}
          empty={
            <EmptyState
              className="px-3"
              sentence={wanted === undefined ? words.empty : words.noMatch}
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
                follow={id}
                estimate={92}
                className="h-[70dvh] flex-1 px-3 md:h-auto"
                render={(run) => (
                  <RunRow run={run} current={run.id === id} to={route.href([run.id], { state: wanted })} />
                )}
              />
            </>
          )}
        </Loaded>
      }
      detail={id === null ? null : <RunPage key={id} id={id} />}
      placeholder={<p className="text-ink-2">{words.choose}</p>}
    />
  )
}

function RunRow({ run, current, to }: { run: RunView; current: boolean; to: string }) {
  const word = runWord(run)
  return (
    <Row to={to} current={current}>
      <div className="flex items-center justify-between gap-2">
        <Chip tone={runTone(word)}>{common.runState[word]}</Chip>
        <span className="text-small text-ink-3">
          <Time at={run.startedAt} />
        </span>
      </div>
      <p className="mt-0.5 line-clamp-2 font-medium">
        <Safe text={run.asked === '' ? run.id : run.asked} />
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-ink-2">
        <span>{words.calls(run.calls)}</span>
        <Money usd={run.costUsd} />
        {run.schedule === null ? null : <span>{words.automation}</span>}
        {run.tier !== null && run.tier >= 2 ? <TierChip tier={run.tier} /> : null}
      </p>
    </Row>
  )
}
