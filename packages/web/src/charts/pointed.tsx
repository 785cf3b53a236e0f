/** Owns the one moment of a chart that is looked at: by pointer, by touch, or by the arrow keys. */
import { forDisplay } from '@countersign/contract'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { Safe } from '../kit/mono.tsx'
import { words } from '../words/charts.ts'
import { height } from './size.ts'

export interface PointedProps {
  readonly label: string
  readonly width: number
  readonly count: number
  /** The moment under a place. */
  readonly at: (x: number) => number
  /** What is said of a moment. */
  readonly say: (index: number) => string
  /** Said while nothing is pointed at. */
  readonly idle?: string | undefined
  /** Enter or a click on a moment. */
  readonly onChoose?: ((index: number) => void) | undefined
  readonly children: (pointed: number | null) => ReactNode
}

export function Pointed({ label, width, count, at, say, idle = '', onChoose, children }: PointedProps) {
  const [pointed, setPointed] = useState<number | null>(null)
  const shown = pointed !== null && pointed < count ? pointed : null
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    if (count > 0) setPointed(at(event.clientX - left))
  }
  const press = (event: KeyboardEvent) => {
    const next = nextOf(event.key, shown, count)
    if (next !== undefined) {
      event.preventDefault()
      setPointed(next)
    } else if (event.key === 'Enter' && shown !== null) onChoose?.(shown)
  }
  return (
    <>
      <div
        tabIndex={0}
        role="slider"
        aria-label={words.keys(label)}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={shown ?? 0}
        aria-valuetext={forDisplay(shown === null ? idle : say(shown)).text}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setPointed(null)}
        onBlur={() => setPointed(null)}
        onClick={() => shown !== null && onChoose?.(shown)}
        onKeyDown={press}
        className="touch-pan-y rounded-1"
      >
        <svg width={width} height={height} aria-hidden className="block max-w-full overflow-visible">
          {children(shown)}
        </svg>
      </div>
      <p aria-hidden className="min-h-5 text-small text-ink-2">
        <Safe text={shown === null ? idle : say(shown)} />
      </p>
    </>
  )
}

/** Where a key leads. Undefined for a key that is none of ours. */
export function nextOf(key: string, from: number | null, count: number): number | null | undefined {
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowRight':
      return from === null ? 0 : Math.min(count - 1, from + 1)
    case 'ArrowLeft':
      return from === null ? count - 1 : Math.max(0, from - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case 'Escape':
      return from === null ? undefined : null
    default:
      return undefined
  }
}
