/** Draws values over time as lines, or as an area where there is one. A moment without a value is a gap. */
import { area, line } from 'd3-shape'
import { LimitLine, MomentAxis, ValueAxis } from './axes.tsx'
import { margin, valueScale } from './axis.ts'
import { ChartFrame, type ChartFrameProps, type Figures } from './chart-frame.tsx'
import { Pointed } from './pointed.tsx'
import type { Moment, Series } from './series.ts'
import { height } from './size.ts'

export interface LinesProps extends Pick<ChartFrameProps, 'title' | 'aside'> {
  readonly momentTitle: string
  readonly series: readonly Series[]
  readonly moments: readonly Moment[]
  readonly write: (value: number) => string
  readonly limit?: { readonly value: number; readonly label: string } | undefined
}

export default function Lines(props: LinesProps) {
  const { title, aside, series, moments, write, limit } = props
  const values = moments.flatMap((moment) => Object.values(moment.values))
  const scale = valueScale(Math.max(limit?.value ?? 0, ...values, 0))
  const say = (index: number) => {
    const moment = moments[index]
    if (moment === undefined) return ''
    const parts = series.flatMap(({ key, label }) => {
      const value = moment.values[key]
      return value === undefined ? [] : [`${label} ${write(value)}`]
    })
    return `${moment.label} · ${parts.join(', ')}`
  }
  return (
    <ChartFrame
      title={title}
      aside={aside}
      series={series.length > 1 ? series : []}
      figures={lineFigures(props)}
    >
      {(width) => {
        const x = places(moments.length, width)
        return (
          <Pointed label={title} width={width} count={moments.length} at={x.at} say={say}>
            {(pointed) => (
              <>
                <ValueAxis scale={scale} width={width} write={write} />
                {series.map((each) => (
                  <Line
                    key={each.key}
                    series={each}
                    moments={moments}
                    x={x.of}
                    y={scale.y}
                    filled={series.length === 1}
                  />
                ))}
                <MomentAxis labels={moments.map(({ label }) => label)} middle={x.of} width={width} />
                {limit === undefined ? null : (
                  <LimitLine y={scale.y(limit.value)} width={width} label={limit.label} />
                )}
                {pointed === null ? null : (
                  <line
                    x1={x.of(pointed)}
                    x2={x.of(pointed)}
                    y1={margin.top}
                    y2={height - margin.bottom}
                    className="stroke-edge"
                  />
                )}
              </>
            )}
          </Pointed>
        )
      }}
    </ChartFrame>
  )
}

function Line({
  series,
  moments,
  x,
  y,
  filled,
}: {
  series: Series
  moments: readonly Moment[]
  x: (index: number) => number
  y: (value: number) => number
  filled: boolean
}) {
  const points = moments.map((moment, index) => ({ index, value: moment.values[series.key] }))
  const has = ({ value }: { value: number | undefined }) => value !== undefined
  type Point = (typeof points)[number]
  const top = line<Point>()
    .defined(has)
    .x(({ index }) => x(index))
    .y(({ value }) => y(value ?? 0))
  const below = area<Point>()
    .defined(has)
    .x(({ index }) => x(index))
    .y0(y(0))
    .y1(({ value }) => y(value ?? 0))
  return (
    <>
      {filled ? <path d={below(points) ?? ''} style={{ fill: series.shade, opacity: 0.12 }} /> : null}
      <path d={top(points) ?? ''} fill="none" strokeWidth={2} style={{ stroke: series.shade }} />
    </>
  )
}

function places(count: number, width: number) {
  const room = Math.max(1, width - margin.start - margin.end)
  const step = count > 1 ? room / (count - 1) : 0
  return {
    of: (index: number) => margin.start + (count > 1 ? index * step : room / 2),
    at: (x: number) =>
      step === 0 ? 0 : Math.min(count - 1, Math.max(0, Math.round((x - margin.start) / step))),
  }
}

/** Lines are not added up. */
function lineFigures({ momentTitle, series, moments, write }: LinesProps): Figures {
  return {
    columns: [momentTitle, ...series.map(({ label }) => label)],
    rows: moments.map((moment) => [
      moment.label,
      ...series.map(({ key }) => {
        const value = moment.values[key]
        return value === undefined ? '' : write(value)
      }),
    ]),
  }
}
