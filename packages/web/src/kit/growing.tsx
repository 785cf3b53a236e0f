/** Owns lists in the flow of their page: the first are drawn, and the next when their end comes into view. */
import { type Dispatch, type ReactNode, useEffect, useRef, useState } from 'react'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'

const step = 50
const grown = (drawn: number): number => drawn + step

export interface GrowingList<Row> {
  readonly shown: readonly Row[]
  /** Belongs under the list; null where all is shown. */
  readonly more: ReactNode
}

/** Whoever walks with the current row over the end of what is drawn goes on into what comes. */
export function useGrowing<Row>(
  rows: readonly Row[],
  isCurrent: (row: Row) => boolean = () => false,
): GrowingList<Row> {
  const [drawn, setDrawn] = useState(step)
  const wanted = grownFor(drawn, rows.findIndex(isCurrent))
  if (wanted !== drawn) setDrawn(wanted)
  return {
    shown: rows.slice(0, wanted),
    more: rows.length > wanted ? <More key={wanted} onGrow={setDrawn} /> : null,
  }
}

/** A row far behind what is drawn, such as one opened by its address, does not make all before it be drawn. */
export function grownFor(drawn: number, at: number): number {
  return at >= drawn && at < drawn + step ? grown(drawn) : drawn
}

/** Presses itself when it is seen; by hand for whoever walks by keyboard or does not see. */
function More({ onGrow }: { onGrow: Dispatch<(drawn: number) => number> }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = place.current
    if (end === null) return
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) onGrow(grown)
    })
    observer.observe(end)
    return () => observer.disconnect()
  }, [onGrow])
  return (
    <div ref={place} className="px-3 py-2">
      <Button variant="quiet" size="small" onClick={() => onGrow(grown)}>
        {words.showMore}
      </Button>
    </div>
  )
}
