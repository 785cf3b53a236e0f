/** Owns the draft of a policy while somebody works on it: what differs from what is in force, on every tab alike. */

import type { PolicyDocument, PolicyView } from '@countersign/contract'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export interface PolicyDrafting {
  readonly view: PolicyView
  readonly draft: PolicyDocument
  /** The draft as it was when nothing had been typed for a moment; this is what the gateway is asked about. */
  readonly settled: PolicyDocument
  /** The version that the draft was begun from, whatever is in force by now. */
  readonly base: number
  readonly isChanged: boolean
  readonly change: (part: Partial<PolicyDocument>) => void
  readonly discard: () => void
}

const DraftContext = createContext<PolicyDrafting | null>(null)

export function PolicyDraftProvider({ view, children }: { view: PolicyView; children: ReactNode }) {
  const [kept, setKept] = useState<{ base: number; draft: PolicyDocument } | null>(null)
  const draft = kept?.draft ?? view.document
  const settled = useSettled(draft)
  const drafting = useMemo<PolicyDrafting>(() => {
    return {
      view,
      draft,
      settled,
      base: kept?.base ?? view.version.number,
      isChanged: JSON.stringify(draft) !== JSON.stringify(view.document),
      change: (part) => setKept({ base: kept?.base ?? view.version.number, draft: { ...draft, ...part } }),
      discard: () => setKept(null),
    }
  }, [view, kept, draft, settled])
  return <DraftContext value={drafting}>{children}</DraftContext>
}

const stillMs = 300

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), stillMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

export function usePolicyDraft(): PolicyDrafting {
  const drafting = useContext(DraftContext)
  if (drafting === null) throw new Error('A draft is used outside of the Policy screen.')
  return drafting
}
