/** The calls of a run against time. What waited for a person is hatched, and is not the run's own time. */

import type { CallView, RunDetail } from '@countersign/contract'
import { scaleLinear } from 'd3-scale'
import { classes, Safe, TierChip } from '../../kit/index.ts'
import { lengthWords } from '../../language/format.ts'
import { words } from '../../words/activity.tsx'

export function Waterfall({ detail }: { detail: RunDetail }) {
  const { run, calls, approvals } = detail
  const start = Date.parse(run.startedAt)
  const end = Math.max(
    start + 1_000,
    ...calls.map((call) => timeOf(call.endedAt, start)),
    timeOf(run.endedAt, start),
  )
  const share = (at: number) => `${String((100 * (at - start)) / (end - start))}%`
  return (
    <ol className="overflow-hidden rounded-2 border border-line bg-sheet">
      <Axis ms={end - start} />
      {calls.map((call) => {
        const asked = approvals.find(({ call: of }) => of === call.id)
        const began = timeOf(call.startedAt ?? call.intendedAt ?? call.endedAt, start)
        const ended = timeOf(call.endedAt, end)
        const waited = asked ? { from: Date.parse(asked.createdAt), to: timeOf(asked.decidedAt, end) } : null
        return (
          <li
            key={call.id}
            className="grid gap-x-4 gap-y-1 border-t border-line px-4 py-2 first:border-t-0 md:grid-cols-[minmax(0,16rem)_1fr]"
          >
            <Name call={call} />
            <div className="flex items-center gap-3">
              <div className="relative h-3 min-w-0 flex-1 rounded-1 bg-well" aria-hidden>
                {waited === null ? null : (
                  <span
                    className="hatched absolute inset-y-0 rounded-1"
                    style={{
                      insetInlineStart: share(waited.from),
                      inlineSize: share(start + waited.to - waited.from),
                    }}
                  />
                )}
                <span
                  className={classes('absolute inset-y-0 min-w-[3px] rounded-1', inkOf(call))}
                  style={{
                    insetInlineStart: share(began),
                    inlineSize: share(start + Math.max(0, ended - began)),
                  }}
                />
              </div>
              <span className="w-28 shrink-0 text-end text-small text-ink-2">
                {lengthWords(Math.max(0, ended - began))}
                {waited === null ? '' : words.waited(lengthWords(waited.to - waited.from))}
              </span>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function Name({ call }: { call: CallView }) {
  return (
    <div className="min-w-0">
      <code className="block truncate">{call.tool}</code>
      <span className="block truncate text-small text-ink-2">
        <Safe text={call.headline} />
      </span>
      {call.tier === null ? null : <TierChip tier={call.tier} className="mt-1" />}
    </div>
  )
}

/** The time since the run began, over the bars. */
function Axis({ ms }: { ms: number }) {
  const ticks = scaleLinear().domain([0, ms]).ticks(4)
  return (
    <li
      aria-hidden
      className="hidden gap-x-4 px-4 py-1 text-small text-ink-3 md:grid md:grid-cols-[minmax(0,16rem)_1fr]"
    >
      <span />
      <span className="flex gap-3">
        <span className="relative h-5 min-w-0 flex-1">
          {ticks.map((tick) => (
            <span
              key={tick}
              className="absolute border-s border-line-strong ps-1 whitespace-nowrap tabular-nums"
              style={{ insetInlineStart: `${String((100 * tick) / ms)}%` }}
            >
              {lengthWords(tick)}
            </span>
          ))}
        </span>
        <span className="w-28 shrink-0" />
      </span>
    </li>
  )
}

function inkOf({ outcome }: CallView): string {
  if (outcome === 'ok') return 'bg-ok'
  return outcome === null ? 'bg-act' : 'bg-bad'
}

function timeOf(at: string | null, otherwise: number): number {
  return at === null ? otherwise : Date.parse(at)
}
