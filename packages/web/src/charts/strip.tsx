/** Draws what happened over a span of time on one line: lengths as bars, waits hatched, single moments as marks. */
import { classes } from '../kit/classes.ts'
import { PlainLink } from '../kit/link.tsx'

export interface StripPart {
  readonly key: string
  readonly from: Date
  /** The same as `from` for a moment. */
  readonly to: Date
  readonly kind: 'work' | 'wait' | 'mark' | 'bad'
  /** Safe to draw: what came from outside has been through `forDisplay`. */
  readonly label: string
  /** Where it leads. */
  readonly href?: string | undefined
}

const looks: Readonly<Record<StripPart['kind'], string>> = {
  work: 'bg-act',
  wait: 'hatched border border-line-strong',
  mark: 'bg-t2',
  bad: 'bg-bad',
}

export interface StripProps {
  readonly label: string
  readonly from: Date
  readonly to: Date
  readonly parts: readonly StripPart[]
  /** Under the strip, at their moments. */
  readonly ticks?: readonly { readonly at: Date; readonly label: string }[]
}

export function Strip({ label, from, to, parts, ticks = [] }: StripProps) {
  return (
    <div>
      <ol aria-label={label} className="relative h-6 rounded-1 bg-well">
        {parts.map((part) => {
          const { start, size } = placeOf(part, from, to)
          return (
            <li
              key={part.key}
              title={part.label}
              className="absolute inset-y-0"
              style={{ insetInlineStart: `${start}%`, inlineSize: `max(3px, ${size}%)` }}
            >
              <Part part={part} />
            </li>
          )
        })}
      </ol>
      {ticks.length === 0 ? null : (
        <div aria-hidden className="relative h-5 text-[11px] text-ink-3">
          {ticks.map(({ at, label: said }) => (
            <span
              key={said}
              className="absolute -translate-x-1/2 rtl:translate-x-1/2"
              style={{ insetInlineStart: `${placeOf({ from: at, to: at }, from, to).start}%` }}
            >
              {said}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

function Part({ part }: { part: StripPart }) {
  const look = classes('block h-full rounded-[2px]', looks[part.kind])
  return part.href === undefined ? (
    <span className={look}>
      <span className="sr-only">{part.label}</span>
    </span>
  ) : (
    <PlainLink to={part.href} className={look}>
      <span className="sr-only">{part.label}</span>
    </PlainLink>
  )
}

/** In hundredths of the strip; what lies outside is cut at the edge. */
export function placeOf(
  part: { readonly from: Date; readonly to: Date },
  from: Date,
  to: Date,
): { readonly start: number; readonly size: number } {
  const whole = Math.max(1, to.getTime() - from.getTime())
  const share = (at: Date) => Math.min(1, Math.max(0, (at.getTime() - from.getTime()) / whole)) * 100
  const start = share(part.from)
  return { start, size: Math.max(0, share(part.to) - start) }
}
