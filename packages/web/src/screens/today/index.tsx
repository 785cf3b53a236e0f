/** The Today screen: what needs you, what happened, what will happen, what may act unasked, and what it costs. */

import { useMemo, useState } from 'react'
import { useGateway, usePairingRequests, useStatus } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import type { Screen } from '../../environment/screen.ts'
import { useLive } from '../../environment/services.tsx'
import { Link, Page, StaleNote, useNow } from '../../kit/index.ts'
import { locale } from '../../language/current.ts'
import { words } from '../../words/today.tsx'
import { SetupCard } from '../setup/setup-card.tsx'
import { Block } from './block.tsx'
import { DayView } from './day-view.tsx'
import { type ShownItem, shownItems } from './feed-items.ts'
import { useTodayKeys } from './keys.ts'
import { useLastVisit } from './last-visit.ts'
import { NeedRows } from './need-rows.tsx'
import { addressOf } from './need-words.ts'
import { needsOf, shortened } from './needs.ts'
import { SayHere } from './say-here.tsx'
import { Next24Hours, Spending, StandingAuthority } from './side.tsx'
import { Since } from './since.tsx'
import { useSteady } from './steady-order.ts'
import { UndoDialog } from './undo-dialog.tsx'
import { comingRuns } from './upcoming.ts'
import { WhyDialog } from './why-dialog.tsx'

export const screen: Screen = { component: TodayScreen }

/** More approvals than these are looked at in their own screen. */
const mostApprovals = 6

type TodayWindow = { readonly kind: 'why' | 'undo'; readonly item: ShownItem } | null

function TodayScreen() {
  const go = useGo()
  const now = useNow(60_000)
  const state = useLive((live) => live.state)
  const online = useLive((live) => live.link.kind === 'live')
  const { lastVisitAt, archived, archive, restore } = useLastVisit()
  const status = useStatus()
  const schedules = useGateway(['schedules'], (client) => client.schedules(), { everyMs: 60_000 })
  const requests = usePairingRequests()
  const extensions = useGateway(['extensions'], (client) => client.extensions(), { everyMs: 30_000 })
  const proposals = extensions.data?.proposals
  const feed = useGateway(['feed', 'lately'], (client) => client.feeds({ limit: '7' }))
  const [current, setCurrent] = useState<string | null>(null)
  const [window, setWindow] = useState<TodayWindow>(null)

  const needs = useMemo(
    () =>
      needsOf({
        state,
        schedules: schedules.data,
        requests: requests.data,
        proposals,
        status: status.data,
        archived,
      }),
    [state, schedules.data, requests.data, proposals, status.data, archived],
  )
  const { shown, hidden } = shortened(needs, mostApprovals)
  const { rows, attention } = useSteady(shown, ({ key }) => key)
  const items = useMemo(
    () => shownItems(feed.data ?? [], lastVisitAt, archived),
    [feed.data, lastVisitAt, archived],
  )
  const openable = [
    ...rows.map(({ key, value }) => ({ key, to: addressOf(value) })),
    ...items.map(({ key, item }) => ({
      key,
      to: item.run === null ? `/ledger/${item.refs[0] ?? ''}` : `/activity/${item.run}`,
    })),
  ].slice(0, 9)
  const isQuiet = comingRuns(schedules.data ?? [], now).length === 0
  const onUndo = (item: ShownItem) => setWindow({ kind: 'undo', item })
  const onWhy = (item: ShownItem) => setWindow({ kind: 'why', item })
  const onArchive = useTodayKeys({
    items,
    current,
    onCurrent: setCurrent,
    onUndo: (item) => (online ? onUndo(item) : undefined),
    onWhy,
    archive,
    restore,
    open: (number) => {
      const found = openable[number - 1]
      if (found !== undefined) go(found.to)
    },
  })
  const numberOf = (key: string) => {
    const place = openable.findIndex((each) => each.key === key)
    return place < 0 ? null : place + 1
  }

  return (
    <Page title={words.title} note={dayWords(now)} width="full">
      <StaleNote at={null} className="mb-3" />
      <SayHere online={online} />
      <DayView />
      <div className="grid max-w-6xl gap-x-10 lg:grid-cols-[minmax(0,1fr)_19rem] 2xl:max-w-[110rem] 2xl:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="min-w-0 2xl:grid 2xl:grid-cols-2 2xl:items-start 2xl:gap-x-10">
          <Block
            title={words.needs.title}
            note={needs.length === 0 ? undefined : words.needs.count(needs.length)}
            {...(hidden === 0 ? {} : { aside: <Link to="/approvals">{words.needs.hidden(hidden)}</Link> })}
          >
            {rows.length === 0 ? (
              <p className="text-ink-2">{words.needs.none}</p>
            ) : (
              <NeedRows rows={rows} attention={attention} online={online} onArchive={archive} />
            )}
            {/* It is asked for and comes later: what somebody is about to touch stands above it. */}
            <SetupCard className="mt-6" />
          </Block>
          <Since
            query={feed}
            items={items}
            lastVisitAt={lastVisitAt}
            toldAt={feed.data?.[0]?.at ?? null}
            isQuiet={isQuiet}
            current={current}
            numberOf={numberOf}
            online={online}
            onArchive={onArchive}
            onUndo={onUndo}
            onWhy={onWhy}
            onCurrent={setCurrent}
          />
        </div>
        <div className="min-w-0">
          <Next24Hours />
          <StandingAuthority />
          <Spending />
        </div>
      </div>
      {window?.kind === 'why' ? <WhyDialog shown={window.item} onClose={() => setWindow(null)} /> : null}
      {window?.kind === 'undo' && window.item.item.run !== null ? (
        <UndoDialog run={window.item.item.run} onClose={() => setWindow(null)} />
      ) : null}
    </Page>
  )
}

function dayWords(now: Date): string {
  return now.toLocaleDateString(locale(), { weekday: 'long', day: 'numeric', month: 'long' })
}
