/** Draws what happened over a span of time on one line: lengths as bars, waits hatched, single moments as marks. */
import type { MouseEvent } from 'react'
import { useGo } from '../environment/route.ts'
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
  /** Where the whole of it leads, in words. */
  readonly label: string
  /** Where it leads by the keyboard; a click leads to the part that is nearest. */
  readonly leadsTo: string
  readonly from: Date
  readonly to: Date
  readonly parts: readonly StripPart[]
}

/** One link, however narrow its parts are. What it shows is said elsewhere to those who do not see it. */
export function Strip({ label, leadsTo, from, to, parts }: StripProps) {
  const go = useGo()
  const follow = (event: MouseEvent<HTMLDivElement>) => {
    const isByKeyboard = event.detail === 0
    if (isByKeyboard || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const href = nearest(parts, from, to, ((event.clientX - left) / Math.max(1, width)) * 100)?.href
    if (href === undefined) return
    event.preventDefault()
    go(href)
  }
  return (
    <div onClickCapture={follow}>
      <PlainLink to={leadsTo} aria-label={label} className="relative block h-6 rounded-1 bg-well">
        {parts.map((part) => {
          const { start, size } = placeOf(part, from, to)
          return (
            <span
              key={part.key}
              title={part.label}
              className={classes('absolute inset-y-0 block rounded-[2px]', looks[part.kind])}
              style={{ insetInlineStart: `${start}%`, inlineSize: `max(3px, ${size}%)` }}
            />
          )
        })}
      </PlainLink>
    </div>
  )
}

/** Of those that lead somewhere. */
export function nearest(
  parts: readonly StripPart[],
  from: Date,
  to: Date,
  at: number,
): StripPart | undefined {
  const away = (part: StripPart) => {
    const { start, size } = placeOf(part, from, to)
    return Math.max(start - at, at - (start + size), 0)
  }
  return parts.filter(({ href }) => href !== undefined).toSorted((one, other) => away(one) - away(other))[0]
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
