/** Draws the lines and labels that values and moments are read against. */
import { labelStep, margin, type ValueScale } from './axis.ts'
import { height } from './size.ts'

export function ValueAxis({
  scale,
  width,
  write,
}: {
  scale: ValueScale
  width: number
  write: (value: number) => string
}) {
  return (
    <g>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={margin.start}
            x2={width - margin.end}
            y1={scale.y(tick)}
            y2={scale.y(tick)}
            className="stroke-line"
          />
          <text
            x={margin.start - 8}
            y={scale.y(tick)}
            dy="0.32em"
            textAnchor="end"
            className="fill-ink-3 text-[11px] tabular-nums"
          >
            {write(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

export function MomentAxis({
  labels,
  middle,
  width,
}: {
  labels: readonly string[]
  middle: (index: number) => number
  width: number
}) {
  const step = labelStep(labels.length, width)
  return (
    <g>
      {labels.map((label, index) =>
        index % step === 0 ? (
          <text
            key={`${index} ${label}`}
            x={middle(index)}
            y={height - 6}
            textAnchor={anchorOf(middle(index), width)}
            className="fill-ink-3 text-[11px]"
          >
            {label}
          </text>
        ) : null,
      )}
    </g>
  )
}

/** A label at the edge stays on the picture. */
function anchorOf(x: number, width: number): 'end' | 'middle' {
  return x > width - margin.end - 24 ? 'end' : 'middle'
}

/** A limit: a line with its words above it. */
export function LimitLine({ y, width, label }: { y: number; width: number; label: string }) {
  return (
    <g>
      <line
        x1={margin.start}
        x2={width - margin.end}
        y1={y}
        y2={y}
        strokeDasharray="5 3"
        className="stroke-bad"
        strokeWidth={1.5}
      />
      <text
        x={width - margin.end}
        y={y - 4}
        textAnchor="end"
        className="fill-bad text-[11px] font-medium"
        style={{ paintOrder: 'stroke', stroke: 'var(--sheet)', strokeWidth: 3 }}
      >
        {label}
      </text>
    </g>
  )
}
