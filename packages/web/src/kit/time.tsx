/** Owns how times, lengths of time, money and counts are written. Relative up to a day, exact on hover. */
import { useEffect, useState } from 'react'
import { useServices } from '../environment/services.tsx'
import { exactWords, moneyWords, priceWords, relativeWords } from '../language/format.ts'

/** The present, looked at again every so often. */
export function useNow(everyMs = 15_000): Date {
  const { now } = useServices()
  const [time, setTime] = useState(now)
  useEffect(() => {
    const timer = window.setInterval(() => setTime(now()), everyMs)
    return () => window.clearInterval(timer)
  }, [now, everyMs])
  return time
}

export function Time({
  at,
  className,
  dim = false,
}: {
  at: string | null
  className?: string | undefined
  dim?: boolean
}) {
  useNow()
  const { now } = useServices()
  if (at === null) return null
  const exact = new Date(at)
  return (
    <time
      dateTime={at}
      title={exactWords(exact)}
      className={`${className ?? ''} ${dim ? 'opacity-60' : ''} whitespace-nowrap`}
    >
      {/* What is newer than the last look at the clock is not in the future. */}
      {relativeWords(exact, now())}
    </time>
  )
}

export function Money({ usd }: { usd: number | null }) {
  return <span className="whitespace-nowrap">{usd === null ? '—' : moneyWords(usd)}</span>
}

/** Of a million tokens, say: with parts of a cent. */
export function Price({ usd }: { usd: number | null }) {
  return <span className="whitespace-nowrap">{usd === null ? '—' : priceWords(usd)}</span>
}
