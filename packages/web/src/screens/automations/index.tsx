/** The Automations screen: what runs without being asked, when, within which limits, and what became of it. */

import type { OccurrenceState, ScheduleView } from '@countersign/contract'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { Chip, EmptyState, ListDetail, Loaded, Row, Safe, Time, useListKeys } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { AutomationPage } from './automation-page.tsx'
import { outcomeTone } from './outcome.ts'

export const screen: Screen = { component: AutomationsScreen }

function AutomationsScreen() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const schedules = useGateway(['schedules'], (client) => client.schedules(), { everyMs: 60_000 })
  const rows = schedules.data ?? []
  const current = rows.find(({ id }) => id === chosen)
  useListKeys(words.title, {
    ids: rows.map(({ id }) => id),
    current: chosen,
    onMove: (id) => route.go(route.href([id]), { replace: true }),
    onBack: () => route.go(route.base),
  })
  return (
    <ListDetail
      title={words.title}
      note={
        schedules.data === undefined
          ? undefined
          : words.on(rows.filter(({ status }) => status === 'active').length)
      }
      backTo={route.base}
      {...(current === undefined ? {} : { detailTitle: current.name })}
      list={
        <Loaded
          query={schedules}
          isEmpty={(all) => all.length === 0}
          empty={
            <EmptyState
              className="px-2"
              sentence={words.empty}
              example={
                'countersign automation add "every weekday 8:00 send me a brief" --max-cost 0.05 --tier-max 1'
              }
            />
          }
        >
          {(all) =>
            all.map((schedule) => (
              <ScheduleRow
                key={schedule.id}
                schedule={schedule}
                to={route.href([schedule.id])}
                current={schedule.id === chosen}
              />
            ))
          }
        </Loaded>
      }
      detail={current === undefined ? null : <AutomationPage key={current.id} schedule={current} />}
      placeholder={rows.length === 0 ? null : <p className="text-ink-3">{words.choose}</p>}
    />
  )
}

function ScheduleRow({ schedule, to, current }: { schedule: ScheduleView; to: string; current: boolean }) {
  const { name, words: sentence, status, next, last } = schedule
  return (
    <Row to={to} current={current}>
      <span className="flex items-baseline gap-2">
        <Safe text={name} className="min-w-0 flex-1 font-medium" />
        {status === 'paused' ? <Chip>{words.paused}</Chip> : null}
      </span>
      <span className="block text-small text-ink-2">
        <Safe text={sentence} />
      </span>
      <span className="mt-1 flex items-center gap-2 text-small text-ink-3">
        <Trail states={last} />
        {next[0] === undefined ? null : (
          <span className="ms-auto">
            <Time at={next[0]} />
          </span>
        )}
      </span>
    </Row>
  )
}

const trailTones = {
  ok: 'bg-ok',
  waiting: 'bg-t2',
  bad: 'bg-bad',
  plain: 'bg-line-strong',
  act: 'bg-act',
} as const

/** The last outcomes as a row of marks, the newest last, and in words for readers. */
function Trail({ states }: { states: readonly OccurrenceState[] }) {
  if (states.length === 0) return <span>{words.neverRan}</span>
  const newest = states.at(-1)
  return (
    <span className="flex items-center gap-1">
      <span aria-hidden className="flex gap-0.5">
        {states.slice(-8).map((state, index) => (
          // The marks have no other name.
          <span key={index} className={`dot h-3 w-1 rounded-full ${trailTones[outcomeTone(state)]}`} />
        ))}
      </span>
      {newest === undefined ? null : <span>{words.last(words.states[newest])}</span>}
    </span>
  )
}
