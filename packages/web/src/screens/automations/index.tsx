/** The Automations screen: what runs without being asked, when, within which limits, and what became of it. */

import type { ScheduleView } from '@countersign/contract'
import { Pause, Play, Plus, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { Dots } from '../../charts/index.tsx'
import { useAskedFor } from '../../environment/asked-for.ts'
import { useKeys } from '../../environment/keys.tsx'
import { useGateway } from '../../environment/queries.ts'
import { useRoute } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import {
  Button,
  Chip,
  EmptyState,
  ListDetail,
  Loaded,
  Menu,
  Row,
  Safe,
  useAct,
  useGrowing,
  useListKeys,
  useOpened,
} from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'
import { words as common } from '../../words/common.ts'
import { setsTo } from './actions.tsx'
import { AddDialog } from './add-dialog.tsx'
import { AutomationPage } from './automation-page.tsx'
import { MoneyNote } from './money-note.tsx'
import { NextTime } from './next-time.tsx'
import { dotTone } from './outcome.ts'
import { ReadyDialog } from './ready-dialog.tsx'

export const screen: Screen = { component: AutomationsScreen }

type Window = 'add' | 'ready' | null

function AutomationsScreen() {
  const route = useRoute()
  const [chosen = null] = route.parts
  const [window, setWindow] = useState<Window>(route.search['ready'] === undefined ? null : 'ready')
  const schedules = useGateway(['schedules'], (client) => client.schedules(), { everyMs: 60_000 })
  const rows = schedules.data ?? []
  const ids = rows.map(({ id }) => id)
  const opened = useOpened(ids, chosen)
  const current = rows.find(({ id }) => id === opened)
  useKeys(words.title, [{ keys: 'n', label: words.actions.add, run: () => setWindow('add') }])
  useAskedFor('add', () => setWindow('add'))
  useListKeys(words.title, {
    ids,
    current: opened,
    onMove: (id) => route.go(route.href([id]), { replace: true }),
    onBack: () => route.go(route.base),
  })
  return (
    <>
      <ListDetail
        title={words.title}
        alone={schedules.data?.length === 0}
        note={rows.length === 0 ? undefined : words.on(rows.filter(isOn).length)}
        backTo={route.base}
        detailTitle={current?.name}
        tools={<Tools rows={rows} onWindow={setWindow} />}
        list={
          <Loaded
            query={schedules}
            isEmpty={(all) => all.length === 0}
            empty={<EmptyState className="px-2" sentence={words.empty} />}
          >
            {(all) => (
              <>
                <MoneyNote />
                <Schedules all={all} opened={opened} />
              </>
            )}
          </Loaded>
        }
        detail={current === undefined ? null : <AutomationPage key={current.id} schedule={current} />}
      />
      {window === 'add' ? <AddDialog onClose={() => setWindow(null)} /> : null}
      {window === 'ready' ? <ReadyDialog onClose={() => setWindow(null)} /> : null}
    </>
  )
}

function Schedules({ all, opened }: { all: readonly ScheduleView[]; opened: string | null }) {
  const route = useRoute()
  const { shown, more } = useGrowing(all, ({ id }) => id === opened)
  return (
    <>
      {shown.map((schedule) => (
        <ScheduleRow
          key={schedule.id}
          schedule={schedule}
          to={route.href([schedule.id])}
          current={schedule.id === opened}
        />
      ))}
      {more}
    </>
  )
}

const isOn = ({ status }: ScheduleView): boolean => status === 'active'

function Tools({ rows, onWindow }: { rows: readonly ScheduleView[]; onWindow: (window: Window) => void }) {
  const { act } = useAct([['schedules']])
  const setAll = (status: ScheduleView['status'], said: string) => {
    const others = rows.filter((row) => row.status !== status)
    void act(async (client) => {
      for (const { id } of others) await setsTo(id, status)(client)
    }, said)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="go" icon={Plus} keys="n" onClick={() => onWindow('add')}>
        {words.actions.add}
      </Button>
      <Button icon={Sparkles} onClick={() => onWindow('ready')}>
        {words.actions.ready}
      </Button>
      {rows.length === 0 ? null : (
        <Menu
          label={common.more}
          items={[
            {
              label: words.actions.pauseAll,
              icon: Pause,
              disabled: !rows.some(isOn),
              run: () => setAll('paused', words.said.pausedAll),
            },
            {
              label: words.actions.resumeAll,
              icon: Play,
              disabled: rows.every(isOn),
              run: () => setAll('active', words.said.resumedAll),
            },
          ]}
        />
      )}
    </div>
  )
}

function ScheduleRow({ schedule, to, current }: { schedule: ScheduleView; to: string; current: boolean }) {
  const { name, words: sentence, status, next, last } = schedule
  const [first] = next
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
        {last.length === 0 ? (
          <span>{words.neverRan}</span>
        ) : (
          <Dots
            label={words.trail(last.length)}
            dots={last.map((state, place) => ({
              // The marks have no other name.
              key: String(place),
              tone: dotTone(state),
              label: words.states[state],
            }))}
          />
        )}
        {first === undefined ? null : (
          <span className="ms-auto">
            <NextTime at={first} />
          </span>
        )}
      </span>
    </Row>
  )
}
