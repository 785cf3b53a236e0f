/** Draws days with their events: as a month, as a week, or one day below the other. */
import type { RecordView } from '@countersign/contract'
import type { ReactNode } from 'react'
import { classes, PlainLink, Safe, Section, useNow } from '../../kit/index.ts'
import { dayWords, weekdayWords } from '../../language/format.ts'
import { words } from '../../words/library.tsx'
import { type Day, dateOf, dayOf, eventsOn, spanOf } from './days.ts'
import { textIn } from './values.ts'

export interface DaysProps {
  readonly events: readonly RecordView[]
  readonly days: readonly Day[]
  /** The one around which they are. */
  readonly day: Day
  readonly onAdd: (day: Day) => void
  readonly to: (event: RecordView) => string
}

export function MonthGrid({ days, day, ...rest }: DaysProps) {
  return (
    <div className="overflow-x-auto">
      <div className="grid min-w-[42rem] grid-cols-7 border-s border-t border-line bg-sheet">
        {days.slice(0, 7).map((each) => (
          <div
            key={each}
            className="border-e border-b border-line px-2 py-1 text-small font-medium text-ink-3"
          >
            {weekdayWords(dateOf(each))}
          </div>
        ))}
        {days.map((each) => (
          <DayCell key={each} day={each} isOther={each.slice(0, 7) !== day.slice(0, 7)} {...rest} />
        ))}
      </div>
    </div>
  )
}

export function WeekColumns({ days, events, onAdd, to }: DaysProps) {
  return (
    <div className="overflow-x-auto">
      <div className="grid min-w-[42rem] grid-cols-7 border-s border-t border-line bg-sheet">
        {days.map((each) => (
          <DayCell key={each} day={each} isTall events={events} onAdd={onAdd} to={to} />
        ))}
      </div>
    </div>
  )
}

function DayCell({
  day,
  events,
  isOther = false,
  isTall = false,
  onAdd,
  to,
}: Omit<DaysProps, 'days'> & { readonly isOther?: boolean; readonly isTall?: boolean }) {
  const isToday = day === dayOf(useNow())
  return (
    <div
      className={classes(
        'min-w-0 border-e border-b border-line p-1',
        isTall ? 'min-h-80' : 'min-h-24',
        isOther && 'bg-paper',
      )}
    >
      <button
        type="button"
        aria-label={words.addOn(dayWords(dateOf(day)))}
        onClick={() => onAdd(day)}
        className={classes(
          'target inline-flex min-w-7 items-center justify-center rounded-1 px-1 text-small hover:bg-ink/5',
          isToday ? 'bg-act font-medium text-act-ink' : isOther ? 'text-ink-3' : 'text-ink-2',
        )}
      >
        {isTall ? `${weekdayWords(dateOf(day))} ` : ''}
        {dateOf(day).getDate()}
      </button>
      <ul className="mt-0.5 space-y-0.5">
        {eventsOn(events, day).map((event) => (
          <li key={event.id}>
            <EventLink event={event} to={to(event)} className="truncate" />
          </li>
        ))}
      </ul>
    </div>
  )
}

export function Agenda({ days, events, to, empty }: DaysProps & { readonly empty: ReactNode }) {
  const filled = days.filter((day) => eventsOn(events, day).length > 0)
  if (filled.length === 0) return empty
  return (
    <div className="max-w-3xl">
      {filled.map((day) => (
        <Section key={day} title={dayWords(dateOf(day))} level={2}>
          <ul className="space-y-1">
            {eventsOn(events, day).map((event) => (
              <li key={event.id}>
                <EventLink event={event} to={to(event)} className="px-3 py-2" />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </div>
  )
}

function EventLink({ event, to, className }: { event: RecordView; to: string; className: string }) {
  const { time } = spanOf(event)
  return (
    <PlainLink
      to={to}
      className={classes(
        'block rounded-1 bg-act-soft px-1.5 py-0.5 text-small text-ink no-underline',
        className,
      )}
    >
      {time === '' ? null : <span className="me-1 text-ink-2">{time}</span>}
      <Safe text={textIn(event.data, 'title')} />
    </PlainLink>
  )
}
