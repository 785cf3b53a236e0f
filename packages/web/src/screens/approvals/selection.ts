/** Owns which requests are selected, and which were opened: what is outward is decided with others only after that. */
import type { ApprovalView } from '@countersign/contract'
import { useState } from 'react'

export interface Selection {
  /** In the order of the list. */
  readonly selected: readonly ApprovalView[]
  readonly ids: ReadonlySet<string>
  readonly opened: ReadonlySet<string>
  /** Selects all of them, or none where all are selected. */
  readonly toggle: (ids: readonly string[]) => void
  readonly clear: () => void
}

/** `shown` is the request that is open, if one is. */
export function useSelection(order: readonly ApprovalView[], shown: string | undefined): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  // Counts from the moment in which it is drawn; React draws again before anybody sees the list without it.
  if (shown !== undefined && !opened.has(shown)) setOpened(new Set(opened).add(shown))
  return {
    selected: order.filter(({ id }) => ids.has(id)),
    ids,
    opened,
    toggle(members) {
      const next = new Set(ids)
      const on = !members.every((id) => next.has(id))
      for (const id of members)
        if (on) next.add(id)
        else next.delete(id)
      setIds(next)
    },
    clear: () => setIds(new Set()),
  }
}
