/** Owns the draft of a policy while somebody works on it: what differs from what is in force, on every tab alike. */

import type { PolicyDocument, PolicyView } from '@countersign/contract'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

export interface PolicyDrafting {
  readonly view: PolicyView
  readonly draft: PolicyDocument
  /** The version that the draft was begun from, whatever is in force by now. */
  readonly base: number
  readonly isChanged: boolean
  readonly change: (part: Partial<PolicyDocument>) => void
  readonly discard: () => void
}

const DraftContext = createContext<PolicyDrafting | null>(null)

export function PolicyDraftProvider({ view, children }: { view: PolicyView; children: ReactNode }) {
  const [kept, setKept] = useState<{ base: number; draft: PolicyDocument } | null>(null)
  const drafting = useMemo<PolicyDrafting>(() => {
    const draft = kept?.draft ?? view.document
    return {
      view,
      draft,
      base: kept?.base ?? view.version.number,
      isChanged: JSON.stringify(draft) !== JSON.stringify(view.document),
      change: (part) => setKept({ base: kept?.base ?? view.version.number, draft: { ...draft, ...part } }),
      discard: () => setKept(null),
    }
  }, [view, kept])
  return <DraftContext value={drafting}>{children}</DraftContext>
}

export function usePolicyDraft(): PolicyDrafting {
  const drafting = useContext(DraftContext)
  if (drafting === null) throw new Error('A draft is used outside of the Policy screen.')
  return drafting
}
