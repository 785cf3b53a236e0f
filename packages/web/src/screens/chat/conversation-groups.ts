/** Owns the order of the conversation list: pinned ones first, then by day, newest first; what is hidden only where it is asked for. Pure. */
import type { SessionView } from '@countersign/contract'

export type GroupName = 'pinned' | 'today' | 'yesterday' | 'week' | 'older' | 'hidden'

export interface ConversationGroup {
  readonly name: GroupName
  readonly sessions: readonly SessionView[]
}

const order: readonly GroupName[] = ['pinned', 'today', 'yesterday', 'week', 'older', 'hidden']

export function conversationGroups(
  sessions: readonly SessionView[],
  { search, hidden, now }: { readonly search: string; readonly hidden: boolean; readonly now: Date },
): readonly ConversationGroup[] {
  const wanted = search.trim().toLocaleLowerCase()
  const shown = sessions.filter(
    (each) => (hidden || !each.hidden) && each.title.toLocaleLowerCase().includes(wanted),
  )
  return order.flatMap((name) => {
    const its = shown.filter((each) => groupOf(each, now) === name)
    return its.length === 0 ? [] : [{ name, sessions: its }]
  })
}

function groupOf({ pinned, hidden, updatedAt }: SessionView, now: Date): GroupName {
  if (hidden) return 'hidden'
  if (pinned) return 'pinned'
  const days = daysBetween(new Date(updatedAt), now)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  return days < 7 ? 'week' : 'older'
}

/** Midnights between the two, where the reader is. */
function daysBetween(then: Date, now: Date): number {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  return Math.round((midnight(now) - midnight(then)) / 86_400_000)
}
