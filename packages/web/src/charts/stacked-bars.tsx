/** Draws a bar for each moment, stacked by series, with a limit as a line and what is expected hatched. */
import { useId } from 'react'
import { words } from '../words/charts.ts'
import { LimitLine, MomentAxis, ValueAxis } from './axes.tsx'
import { type Bands, bands, margin, type ValueScale, valueScale } from './axis.ts'
import { ChartFrame, type ChartFrameProps } from './chart-frame.tsx'
import { momentFigures, momentWords } from './figures.ts'
import { Pointed } from './pointed.tsx'
import { highest, isCounted, type Moment, type Series } from './series.ts'
import { height } from './size.ts'

export interface StackedBarsProps extends Pick<ChartFrameProps, 'title' | 'aside'> {
  /** What the moments are, such as Day: the heading of the first column. */
  readonly momentTitle: string
  readonly series: readonly Series[]
  readonly moments: readonly Moment[]
  readonly write: (value: number) => string
  readonly limit?: { readonly value: number; readonly label: string } | undefined
  readonly onChoose?: ((moment: Moment) => void) | undefined
}

export default function StackedBars(props: StackedBarsProps) {
  const { title, aside, series, moments, write, limit, onChoose } = props
  const scale = valueScale(highest(moments, limit?.value ?? null), isCounted(moments))
  return (
    <ChartFrame
      title={title}
      aside={aside}
      series={series.filter(({ key }) => moments.some((each) => !each.expected && key in each.values))}
      figures={momentFigures(props)}
      notes={moments.some(({ expected }) => expected) ? <Expected /> : undefined}
    >
      {(width) => {
        const places = bands(moments.length, width)
        return (
          <Pointed
            label={title}
            width={width}
            count={moments.length}
            at={places.at}
            say={(index) => momentWords(moments[index], series, write)}
            onChoose={
              onChoose === undefined
                ? undefined
                : (index) => {
                    const moment = moments[index]
                    if (moment !== undefined) onChoose(moment)
                  }
            }
          >
            {(pointed) => (
              <>
                <ValueAxis scale={scale} width={width} write={write} />
                <Bars {...{ series, moments, scale, places, pointed }} />
                <MomentAxis
                  labels={moments.map(({ label }) => label)}
                  middle={(index) => places.x(index) + places.width / 2}
                  width={width}
                />
                {limit === undefined ? null : (
                  <LimitLine y={scale.y(limit.value)} width={width} label={limit.label} />
                )}
              </>
            )}
          </Pointed>
        )
      }}
    </ChartFrame>
  )
}

function Bars({
  series,
  moments,
  scale,
  places,
  pointed,
}: {
  series: readonly Series[]
  moments: readonly Moment[]
  scale: ValueScale
  places: Bands
  pointed: number | null
}) {
  const hatching = useId()
  return (
    <>
      <defs>
        <pattern
          id={hatching}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="5" height="5" className="fill-sheet" />
          <line x1="0" y1="0" x2="0" y2="5" className="stroke-act" strokeWidth="1.6" />
        </pattern>
      </defs>
      {moments.map((moment, index) => (
        <g key={moment.key} opacity={pointed === null || pointed === index ? 1 : 0.55}>
          <Bar {...{ moment, series, scale, x: places.x(index), width: places.width, hatching }} />
        </g>
      ))}
      <line
        x1={margin.start}
        x2="100%"
        y1={height - margin.bottom}
        y2={height - margin.bottom}
        className="stroke-line-strong"
      />
    </>
  )
}

function Bar({
  moment,
  series,
  scale,
  x,
  width,
  hatching,
}: {
  moment: Moment
  series: readonly Series[]
  scale: ValueScale
  x: number
  width: number
  hatching: string
}) {
  let below = 0
  return series.map(({ key, shade }) => {
    const value = moment.values[key] ?? 0
    if (value <= 0) return null
    const [from, to] = [scale.y(below), scale.y(below + value)]
    below += value
    return (
      <rect
        key={key}
        x={x}
        y={to}
        width={width}
        height={Math.max(1, from - to)}
        strokeWidth={1}
        style={{
          fill: moment.expected === true ? `url(#${CSS.escape(hatching)})` : shade,
          stroke: 'var(--sheet)',
        }}
      />
    )
  })
}

function Expected() {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="hatched size-2.5 shrink-0 rounded-[2px] border border-line-strong" />
      {words.forecast}
    </span>
  )
}
