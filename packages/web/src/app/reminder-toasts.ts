/** Shows a reminder of the calendar wherever in the app one is when it comes. */
import { useEffect, useRef } from 'react'
import { useLive } from '../environment/services.tsx'
import { useNotify } from '../kit/index.ts'

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
    const due = notices.filter(({ seq, facts }) => seq > before && facts.kind === 'reminder')
    if (due.length > 0)
      // Its words are those of Today, which the first script does not hold.
      void import('../screens/today/notice-words.ts').then(({ noticeWords }) => {
        for (const { facts } of due) notify({ text: noticeWords(facts) })
      })
  }, [notices, isLoaded, notify])
}
