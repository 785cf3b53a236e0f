/** Owns lists in the flow of their page: the first are drawn, and the next when their end comes into view. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'

const step = 50

export interface GrowingList<Row> {
  readonly shown: readonly Row[]
  /** Belongs under the list; null where all is shown. */
  readonly more: ReactNode
}

/** `at` is the place of the current row: whoever walks over the end of what is drawn goes on into what comes. */
export function useGrowing<Row>(rows: readonly Row[], at = -1): GrowingList<Row> {
  const [drawn, setDrawn] = useState(step)
  const wanted = grownFor(drawn, at)
  if (wanted !== drawn) setDrawn(wanted)
  return {
    shown: rows.slice(0, wanted),
    more:
      rows.length > wanted ? <More key={wanted} onGrow={() => setDrawn((before) => before + step)} /> : null,
  }
}

/** A row far behind what is drawn, such as one opened by its address, does not make all before it be drawn. */
export function grownFor(drawn: number, at: number): number {
  return at >= drawn && at < drawn + step ? drawn + step : drawn
}

/** Presses itself when it is seen; by hand for whoever walks by keyboard or does not see. */
function More({ onGrow }: { onGrow: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = place.current
    if (end === null) return
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) onGrow()
    })
    observer.observe(end)
    return () => observer.disconnect()
  }, [onGrow])
  return (
    <div ref={place} className="px-3 py-2">
      <Button variant="quiet" size="small" onClick={onGrow}>
        {words.showMore}
      </Button>
    </div>
  )
}
