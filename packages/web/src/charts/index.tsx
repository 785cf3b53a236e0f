/** The charts. Those with axes are fetched when one is drawn; the small ones need no library. */
import { lazy, Suspense } from 'react'
import type { LinesProps } from './lines.tsx'
import { height } from './size.ts'
import type { StackedBarsProps } from './stacked-bars.tsx'

export { type Dot, Dots } from './dots.tsx'
export { largest, type Moment, runningTotal, type Series, totalOf } from './series.ts'
export { restShade, type Shade, shadeOf, tierShade } from './shades.ts'
export { Sparkline } from './sparkline.tsx'
export { Strip, type StripPart, type StripProps } from './strip.tsx'

const LazyBars = lazy(() => import('./stacked-bars.tsx'))
const LazyLines = lazy(() => import('./lines.tsx'))

export function StackedBars(props: StackedBarsProps) {
  return (
    <Suspense fallback={<Room />}>
      <LazyBars {...props} />
    </Suspense>
  )
}

export function Lines(props: LinesProps) {
  return (
    <Suspense fallback={<Room />}>
      <LazyLines {...props} />
    </Suspense>
  )
}

/** As high as the chart that comes, so that nothing moves. */
function Room() {
  return (
    <div
      aria-hidden
      className="rounded-2 border border-line bg-sheet"
      style={{ blockSize: `${height + 92}px` }}
    />
  )
}
