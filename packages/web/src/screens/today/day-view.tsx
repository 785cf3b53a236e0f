/** The day as a strip: runs as bars, waits hatched, requests as marks; a table says the same to readers. */
import { pendingInOrder, recentRuns } from '@countersign/contract'
import { useMemo } from 'react'
import { Strip, type StripPart } from '../../charts/strip.tsx'
import { useLive } from '../../environment/services.tsx'
import { useNow } from '../../kit/index.ts'
import { clockWords, lengthWords } from '../../language/format.ts'
import { words } from '../../words/today.tsx'
import { type DayRun, momentsOfDay, runsOfDay, startOfDay } from './day-strip.ts'

export function DayView() {
  const now = useNow(60_000)
  const state = useLive((live) => live.state)
  const runs = useMemo(() => runsOfDay(recentRuns(state), now), [state, now])
  const asks = useMemo(() => {
    const moments = [
      ...pendingInOrder(state).map(({ createdAt }) => createdAt),
      ...state.decided.map(({ at }) => at),
    ]
    return momentsOfDay(moments, now)
  }, [state, now])
  if (runs.length === 0) return null
  return (
    <figure className="mb-6 max-w-6xl 2xl:max-w-[110rem]">
      <Strip
        label={words.day.open}
        leadsTo="/activity"
        from={startOfDay(now)}
        to={now}
        parts={partsOf(runs, asks)}
      />
      <figcaption className="mt-1 flex justify-between text-small text-ink-3">
        <span>{words.day.caption(runs.length, asks.length)}</span>
        <span>{clockWords(now)}</span>
      </figcaption>
      <DayTable runs={runs} />
    </figure>
  )
}

function partsOf(runs: readonly DayRun[], asks: readonly Date[]): readonly StripPart[] {
  return [
    ...runs.flatMap(({ id, from, waitFrom, to }): StripPart[] => {
      const href = `/activity/${id}`
      const label = `${clockWords(from)}, ${lengthWords(to.getTime() - from.getTime())}`
      const work: StripPart = { key: id, from, to: waitFrom, kind: 'work', label, href }
      if (waitFrom >= to) return [work]
      return [work, { key: `${id} wait`, from: waitFrom, to, kind: 'wait', label: words.day.waited, href }]
    }),
    ...asks.map((at, place): StripPart => {
      const label = `${words.day.ask}, ${clockWords(at)}`
      return { key: `ask ${place}`, from: at, to: at, kind: 'mark', label }
    }),
  ]
}

function DayTable({ runs }: { runs: readonly DayRun[] }) {
  return (
    <table className="sr-only">
      <caption>{words.day.table}</caption>
      <thead>
        <tr>
          <th>{words.day.began}</th>
          <th>{words.day.length}</th>
          <th>{words.day.waited}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map(({ id, from, waitFrom, to }) => (
          <tr key={id}>
            <td>{clockWords(from)}</td>
            <td>{lengthWords(to.getTime() - from.getTime())}</td>
            <td>{lengthWords(to.getTime() - waitFrom.getTime())}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
