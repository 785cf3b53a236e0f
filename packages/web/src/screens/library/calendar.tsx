/** The calendar of the Library: a month, a week, or an agenda. A day is where one adds, an event is what one opens. */
import type { RecordView } from '@countersign/contract'
import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { useGateway } from '../../environment/queries.ts'
import { type Route, useRoute } from '../../environment/route.ts'
import { Button, Choice, Dialog, EmptyState, Loaded, Page, useIsNarrow, useNow } from '../../kit/index.ts'
import { monthWords } from '../../language/format.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/library.tsx'
import { Agenda, type DaysProps, MonthGrid, WeekColumns } from './calendar-views.tsx'
import { addDays, addMonths, type Day, dateOf, dayOf, monthOf, weekOf } from './days.ts'
import { KindLinks } from './kind-links.tsx'
import { kinds } from './kinds.ts'
import { RecordDialog } from './record-dialog.tsx'
import { RecordPage } from './record-page.tsx'

const views = ['month', 'week', 'agenda'] as const
type CalendarView = (typeof views)[number]

export function Calendar() {
  const route = useRoute()
  const narrow = useIsNarrow()
  const now = useNow()
  const view = views.find((each) => each === route.search['view']) ?? (narrow ? 'agenda' : 'month')
  const day = /^\d{4}-\d{2}-\d{2}$/.test(route.search['day'] ?? '') ? (route.search['day'] ?? '') : dayOf(now)
  const days = daysOf(view, day)
  const [adding, setAdding] = useState<Day | null>(null)
  const [from, to] = [addDays(days[0] ?? day, -31), addDays(days.at(-1) ?? day, 1)]
  const events = useGateway(['library', 'calendar', from, to], (client) =>
    client.calendarEvents({ from, to, limit: 200 }),
  )
  const opened = events.data?.items.find(({ id }) => id === route.parts[1])
  const shared = {
    days,
    day,
    onAdd: setAdding,
    to: (event: RecordView) => route.href(['calendar', event.id], route.search),
  }
  return (
    <Page
      title={words.title}
      width="full"
      actions={
        <Button variant="go" icon={Plus} onClick={() => setAdding(day)}>
          {words.addTitle.calendar}
        </Button>
      }
    >
      <KindLinks current="calendar" />
      <Steps route={route} view={view} day={day} />
      <Loaded query={events}>{({ items }) => <Days view={view} events={items} {...shared} />}</Loaded>
      {adding === null ? null : (
        <RecordDialog
          kind={kinds.calendar}
          begin={{ startTime: `${adding}T09:00` }}
          onClose={() => setAdding(null)}
        />
      )}
      {opened === undefined ? null : (
        <EventWindow event={opened} onClose={() => route.go(route.href(['calendar'], route.search))} />
      )}
    </Page>
  )
}

function Days({ view, ...shared }: DaysProps & { readonly view: CalendarView }) {
  if (view === 'month') return <MonthGrid {...shared} />
  if (view === 'week') return <WeekColumns {...shared} />
  return <Agenda {...shared} empty={<EmptyState sentence={words.emptyOf.calendar} />} />
}

function daysOf(view: CalendarView, day: Day): readonly Day[] {
  if (view === 'week') return weekOf(day)
  if (view === 'month') return monthOf(day).flat()
  return Array.from({ length: 60 }, (_, place) => addDays(day, place))
}

function Steps({ route, view, day }: { route: Route; view: CalendarView; day: Day }) {
  const step = (count: number) =>
    route.ask({
      day: view === 'month' ? addMonths(day, count) : addDays(day, count * (view === 'week' ? 7 : 30)),
    })
  return (
    <div className="my-3 flex flex-wrap items-center gap-2">
      <Button icon={ChevronLeft} aria-label={words.earlier} onClick={() => step(-1)} />
      <Button onClick={() => route.ask({ day: undefined })}>{words.today}</Button>
      <Button icon={ChevronRight} aria-label={words.later} onClick={() => step(1)} />
      <h2 className="me-auto text-title font-medium">{monthWords(dateOf(day))}</h2>
      <Choice
        label={words.view}
        hideLabel
        value={view}
        onChange={(next) => route.ask({ view: next })}
        options={views.map((value) => ({ value, label: words.views[value] }))}
      />
    </div>
  )
}

function EventWindow({ event, onClose }: { event: RecordView; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.one.calendar}
      actions={
        <Button variant="quiet" onClick={onClose}>
          {common.close}
        </Button>
      }
    >
      <RecordPage kind={kinds.calendar} record={event} />
    </Dialog>
  )
}
