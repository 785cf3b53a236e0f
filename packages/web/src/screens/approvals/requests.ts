/** Owns what is asked about a request without deciding it: more time, an answer of the agent, other arguments. */
import type { ApprovalView } from '@countersign/contract'
import { useState } from 'react'
import { useServices } from '../../environment/services.tsx'
import { useNotify } from '../../kit/index.ts'
import { dayTimeWords } from '../../language/format.ts'
import { words } from '../../words/approvals.tsx'

const extensionHours = 24

export interface Requests {
  readonly extend: (approval: ApprovalView) => Promise<void>
  readonly asking: boolean
  /** True when it was answered. */
  readonly ask: (approval: ApprovalView, question: string) => Promise<boolean>
  /** The request whose arguments were last replaced here. */
  readonly edited: string | null
  readonly editing: { readonly busy: boolean; readonly problem: string | null }
  /** True when the gateway took the arguments. */
  readonly edit: (approval: ApprovalView, args: string) => Promise<boolean>
}

export function useRequests(): Requests {
  const { decider } = useServices()
  const notify = useNotify()
  const [asking, setAsking] = useState(false)
  const [edited, setEdited] = useState<string | null>(null)
  const [editing, setEditing] = useState<Requests['editing']>({ busy: false, problem: null })
  return {
    asking,
    edited,
    editing,
    async extend(approval) {
      const outcome = await decider.extend(approval, extensionHours)
      if (outcome.kind === 'done')
        return notify({ text: words.extend.done(dayTimeWords(new Date(outcome.expiresAt))) })
      const text = outcome.kind === 'refused' ? outcome.error.message : words.extend.unconfirmed
      notify({ text, tone: 'bad' })
    },
    async ask(approval, question) {
      setAsking(true)
      const outcome = await decider.ask(approval, question)
      setAsking(false)
      if (outcome.kind === 'done') return true
      notify({ text: outcome.kind === 'refused' ? outcome.error.message : words.ask.noAnswer, tone: 'bad' })
      return false
    },
    async edit(approval, args) {
      setEditing({ busy: true, problem: null })
      const outcome = await decider.edit(approval, args)
      const problem = outcome.kind === 'refused' ? `${outcome.error.message} ${outcome.error.next}` : null
      setEditing({ busy: false, problem })
      if (outcome.kind !== 'done') return false
      setEdited(approval.id)
      notify({ text: words.edit.saved })
      return true
    },
  }
}
