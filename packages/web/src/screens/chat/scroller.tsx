/** Stays at the end while one is there, and leaves one alone who scrolled up. */

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'

export function Scroller({ mark, children }: { mark: number; children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [away, setAway] = useState<number | null>(null)
  const follows = away === null
  const toEnd = () => {
    const box = scroller.current
    if (box !== null) box.scrollTop = box.scrollHeight
  }
  useLayoutEffect(() => {
    if (follows) toEnd()
  })
  // What arrives later than it was drawn, as colours and folded parts do, makes it longer too.
  useEffect(() => {
    if (!follows || content.current === null) return
    const watch = new ResizeObserver(toEnd)
    watch.observe(content.current)
    return () => watch.disconnect()
  }, [follows])
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={words.messages}
        onScroll={({ currentTarget: box }) => {
          const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40
          setAway((since) => (atEnd ? null : (since ?? mark)))
        }}
        className="h-full overflow-y-auto px-4 pt-2 pb-4 md:px-6"
      >
        <div ref={content} className="mx-auto max-w-3xl">
          {children}
        </div>
      </div>
      {away === null || away === mark ? null : (
        <Button className="absolute inset-x-0 bottom-2 mx-auto w-fit" onClick={() => setAway(null)}>
          {words.unseen(mark - away)}
        </Button>
      )}
    </div>
  )
}
