/** Tells a reader what came in: one sentence for a new approval, and a word before one lapses. */

import type { ApprovalView } from '@countersign/contract'
import { useEffect, useRef } from 'react'
import { useAnnounce } from '../environment/announcer.tsx'
import { useLive } from '../environment/services.tsx'
import { useNow } from '../kit/index.ts'
import { words as common } from '../words/common.ts'
import { words } from '../words/frame.tsx'

export function useAnnouncements(): void {
  const announce = useAnnounce()
  const approvals = useLive((now) => now.state.approvals)
  const isLoaded = useLive((now) => now.link.kind === 'live')
  const known = useRef<ReadonlySet<string> | null>(null)
  const now = useNow(20_000)
  const warned = useRef(new Set<string>())

  useEffect(() => {
    if (!isLoaded) return
    const before = known.current
    known.current = new Set(Object.keys(approvals))
    if (before === null) return
    const fresh = Object.values(approvals).filter(({ id }) => !before.has(id))
    const first = fresh[0]
    if (first === undefined) return
    announce(fresh.length === 1 ? announcementOf(first, new Date()) : words.news.many(fresh.length))
  }, [approvals, isLoaded, announce])

  useEffect(() => {
    for (const approval of Object.values(approvals)) {
      const left = Math.ceil((Date.parse(approval.expiresAt) - now.getTime()) / 60_000)
      const mark = left <= 1 ? 1 : left <= 5 ? 5 : 0
      const key = `${approval.id} ${mark} ${approval.expiresAt}`
      if (mark === 0 || left < 0 || warned.current.has(key)) continue
      warned.current.add(key)
      announce(words.news.expires(approval.card.headline, mark))
    }
  }, [approvals, now, announce])
}

export function announcementOf(approval: Pick<ApprovalView, 'card' | 'expiresAt'>, now: Date): string {
  const { headline, tier } = approval.card
  const minutes = Math.max(0, Math.round((Date.parse(approval.expiresAt) - now.getTime()) / 60_000))
  const left = minutes < 120 ? words.news.minutes(minutes) : words.news.hours(Math.round(minutes / 60))
  return words.news.one(headline, tier, common.tier.names[tier], left)
}
