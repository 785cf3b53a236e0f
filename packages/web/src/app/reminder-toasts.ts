/** Shows a reminder of the calendar wherever in the app one is when it comes. */
import { useEffect, useRef } from 'react'
import { useLive } from '../environment/services.tsx'
import { useNotify } from '../kit/index.ts'
import { noticeWords } from '../screens/today/notice-words.ts'

export function useReminderToasts(): void {
  const notify = useNotify()
  const notices = useLive((now) => now.state.notices)
  const isLoaded = useLive((now) => now.link.kind === 'live')
  const seen = useRef<number | null>(null)

  useEffect(() => {
    if (!isLoaded) return
    const before = seen.current
    seen.current = notices.at(-1)?.seq ?? before ?? 0
    // What was there when the page was opened is on Today.
    if (before === null) return
    for (const { seq, facts } of notices)
      if (seq > before && facts.kind === 'reminder') notify({ text: noticeWords(facts) })
  }, [notices, isLoaded, notify])
}
