/** Owns the frame around every screen: rail, bar, banner, the place of the screen, and what is over it. */

import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { NoticeRoom, useIsNarrow } from '../kit/index.ts'
import { words } from '../words/frame.tsx'
import { useAnnouncements } from './announcements.ts'
import { Banner } from './banner.tsx'
import { Bar } from './bar.tsx'
import { useFrameKeys } from './frame-keys.ts'
import type { Overlay } from './overlay.ts'
import { Rail } from './rail.tsx'
import { useReminderToasts } from './reminder-toasts.ts'
import { ThumbBar } from './thumb-bar.tsx'

const loadPalette = () => import('./palette/palette.tsx')
const Palette = lazy(loadPalette)
const HelpOverlay = lazy(() => import('./help-overlay.tsx'))
const More = lazy(() => import('./more.tsx'))

/** `screen` is the path of the one that is in it. */
export function Frame({ screen, children }: { screen: string; children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const narrow = useIsNarrow()
  const main = useRef<HTMLElement>(null)
  const close = () => setOverlay(null)
  useFrameKeys({ show: setOverlay })
  useAnnouncements()
  useReminderToasts()
  useFocusOnChange(main, screen)
  useEarlyPalette()
  return (
    <div className="flex min-h-dvh flex-col md:grid md:h-dvh md:grid-cols-[13.25rem_minmax(0,1fr)] md:grid-rows-[3rem_minmax(0,1fr)]">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
        className="sr-only z-50 rounded-1 bg-act px-3 py-2 text-act-ink focus:not-sr-only focus:fixed focus:start-3 focus:top-2"
      >
        {words.skip}
      </a>
      {narrow ? null : <Rail />}
      <Bar onShow={setOverlay} />
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col md:min-h-0 md:overflow-hidden max-md:pb-(--thumb-bar)"
      >
        {narrow ? <NoticeRoom /> : null}
        <Banner />
        <div className="min-h-0 flex-1">{children}</div>
      </main>
      {narrow ? <ThumbBar onMore={() => setOverlay('more')} /> : null}
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette onClose={close} onShow={setOverlay} /> : null}
        {overlay === 'help' ? <HelpOverlay onClose={close} /> : null}
        {overlay === 'more' ? <More onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

/** Another screen begins at its heading, for a keyboard and for a reader. Not at the first paint. */
function useFocusOnChange(main: RefObject<HTMLElement | null>, screen: string): void {
  const before = useRef(screen)
  useEffect(() => {
    const place = main.current
    if (before.current === screen || place === null) return
    before.current = screen
    window.scrollTo(0, 0)
    const focus = () => {
      const heading = place.querySelector<HTMLElement>('h1[tabindex]')
      heading?.focus({ preventScroll: true })
      return heading !== null
    }
    if (focus()) return
    place.focus({ preventScroll: true })
    // The screen is still being loaded; whoever has gone on meanwhile is left where they are.
    const watch = new MutationObserver(() => {
      if (document.activeElement !== place || focus()) watch.disconnect()
    })
    watch.observe(place, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [main, screen])
}

/** It is fetched when its key begins to be pressed, so that the letters after it are not lost. */
function useEarlyPalette(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Meta' || event.key === 'Control') void loadPalette()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
