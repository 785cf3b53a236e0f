/** Owns which groups of the list show each of their requests, and so what a row stands for. */
import { useState } from 'react'
import type { ApprovalGroup } from './groups.ts'

export interface OpenGroups {
  readonly has: (key: string) => boolean
  readonly toggle: (key: string) => void
  /** Everything that the row of this request stands for: all of a group that shows as one. */
  readonly rowOf: (groups: readonly ApprovalGroup[], id: string) => readonly string[]
}

export function useOpenGroups(): OpenGroups {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  return {
    has: (key) => open.has(key),
    toggle(key) {
      const next = new Set(open)
      if (!next.delete(key)) next.add(key)
      setOpen(next)
    },
    rowOf: (groups, id) => rowOf(groups, id, open),
  }
}

export function rowOf(
  groups: readonly ApprovalGroup[],
  id: string,
  open: ReadonlySet<string>,
): readonly string[] {
  const group = groups.find(({ approvals }) => approvals.some((each) => each.id === id))
  return group === undefined || open.has(group.key) ? [id] : group.approvals.map((each) => each.id)
}
