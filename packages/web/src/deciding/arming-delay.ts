/** Owns the moment before an approval can be given: the card must have stood still long enough to be read as it is. */
import { useEffect, useState } from 'react'

export const armingMs = 600

/** True once the same card has been shown for long enough. A card that changes disarms at once. */
export function useArmed(digest: string, busy: boolean): boolean {
  const [armed, setArmed] = useState<string | null>(null)
  useEffect(() => {
    setArmed(null)
    const timer = window.setTimeout(() => setArmed(digest), armingMs)
    return () => window.clearTimeout(timer)
  }, [digest])
  return armed === digest && !busy
}
