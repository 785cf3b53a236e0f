/** Owns what a screen reader is told: one polite and one urgent voice for the whole app. */
import { createContext, type ReactNode, useCallback, useContext, useRef } from 'react'

export type Announce = (text: string, urgency?: 'polite' | 'urgent') => void

const AnnouncerContext = createContext<Announce>(() => undefined)

export const useAnnounce = (): Announce => useContext(AnnouncerContext)

export function Announcer({ children }: { children: ReactNode }) {
  const polite = useRef<HTMLDivElement>(null)
  const urgent = useRef<HTMLDivElement>(null)
  const announce = useCallback<Announce>((text, urgency = 'polite') => {
    const region = urgency === 'urgent' ? urgent.current : polite.current
    if (region === null) return
    // The same words twice are news only if the region changed in between.
    region.textContent = ''
    window.setTimeout(() => {
      region.textContent = text
    }, 50)
  }, [])
  return (
    <AnnouncerContext value={announce}>
      {children}
      <div ref={polite} className="sr-only" role="status" aria-live="polite" />
      <div ref={urgent} className="sr-only" role="alert" aria-live="assertive" />
    </AnnouncerContext>
  )
}
