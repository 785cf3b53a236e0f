/** Owns whether the screen is a phone's, or zoomed until it is as narrow as one. */
import { useCallback, useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** The same width as Tailwind's `md`. */
export const useIsNarrow = (): boolean => useMedia('(width < 48rem)')
