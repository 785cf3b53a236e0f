/** Owns the moment before an approval can be given: the card must have stood still long enough to be read as it is. */
import { useEffect, useState } from 'react'

export const armingMs = 600

/**
 * True once the same card has been shown for long enough. A card that changes disarms at once; so does one among others
 * when one of them comes or goes, since it may move under a finger that was meant for another.
 */
export function useArmed(digest: string, busy: boolean, others = ''): boolean {
  const shown = `${digest} ${others}`
  const [armed, setArmed] = useState<string | null>(null)
  useEffect(() => {
    setArmed(null)
    const timer = window.setTimeout(() => setArmed(shown), armingMs)
    return () => window.clearTimeout(timer)
  }, [shown])
  return armed === shown && !busy
}
