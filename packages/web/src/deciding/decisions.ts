/** Owns what the screen does with a decision: send it, wait for the word of the gateway, and tell what came of it. */

import type { ApprovalView, GrantRequest, RefusalStop } from '@countersign/contract'
import { useState } from 'react'
import { type DecisionOutcome, outcomeWords } from '../data/decide.ts'
import { useServices } from '../environment/services.tsx'
import { useNotify } from '../kit/index.ts'
import { words } from '../words/approvals.tsx'

/** What a person says with a refusal. */
export interface Denial {
  readonly reason: string
  readonly stop: boolean
  /** Such calls are refused from now on. */
  readonly always?: RefusalStop
}

export interface Decisions {
  /** The ids whose decision is under way. */
  readonly busy: ReadonlySet<string>
  /** Those that were not confirmed in time: still pending as far as anybody knows. */
  readonly unconfirmed: ReadonlySet<string>
  readonly approve: (approval: ApprovalView, grant?: GrantRequest) => Promise<DecisionOutcome>
  readonly deny: (approval: ApprovalView, denial: Denial) => Promise<DecisionOutcome>
  /** Exactly these, one after the other, with one report at the end. */
  readonly approveAll: (approvals: readonly ApprovalView[]) => Promise<void>
  readonly denyAll: (approvals: readonly ApprovalView[], denial: Denial) => Promise<void>
}

export function useDecisions(): Decisions {
  const { decider } = useServices()
  const notify = useNotify()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const [unconfirmed, setUnconfirmed] = useState<ReadonlySet<string>>(new Set())

  async function carryOut(
    approval: ApprovalView,
    send: (onUnconfirmed: () => void) => Promise<DecisionOutcome>,
  ): Promise<DecisionOutcome> {
    setBusy((all) => new Set(all).add(approval.id))
    try {
      return await send(() => setUnconfirmed((all) => new Set(all).add(approval.id)))
    } finally {
      setBusy((all) => without(all, approval.id))
      setUnconfirmed((all) => without(all, approval.id))
    }
  }
  const approveOne = (approval: ApprovalView, grant?: GrantRequest) =>
    carryOut(approval, (onUnconfirmed) =>
      decider.approve(approval, { onUnconfirmed, ...(grant ? { grant } : {}) }),
    )
  const denyOne = (approval: ApprovalView, denial: Denial) =>
    carryOut(approval, (onUnconfirmed) => decider.deny(approval, { ...denial, onUnconfirmed }))

  function tell(outcome: DecisionOutcome, approval: ApprovalView): DecisionOutcome {
    const good = outcome.kind === 'decided' && outcome.decided.refusal?.kind !== 'failed'
    const sealed = good && outcome.decided.approval.state === 'approved' && approval.card.tier >= 3
    notify({ text: outcomeWords(outcome), tone: good ? 'plain' : 'bad', sealed })
    return outcome
  }

  async function all(
    approvals: readonly ApprovalView[],
    verb: Verb,
    send: (approval: ApprovalView) => Promise<DecisionOutcome>,
  ): Promise<void> {
    const outcomes: DecisionOutcome[] = []
    for (const approval of approvals) outcomes.push(await send(approval))
    notify(batchReport(outcomes, verb))
  }

  return {
    busy,
    unconfirmed,
    approve: async (approval, grant) => tell(await approveOne(approval, grant), approval),
    deny: async (approval, denial) => tell(await denyOne(approval, denial), approval),
    approveAll: (approvals) => all(approvals, 'approved', (approval) => approveOne(approval)),
    // One rule is enough, and it is made of the first.
    denyAll: (approvals, { always, ...denial }) =>
      all(approvals, 'denied', (approval) =>
        denyOne(approval, {
          ...denial,
          ...(always !== undefined && approval === approvals[0] ? { always } : {}),
        }),
      ),
  }
}

type Verb = 'approved' | 'denied'

/** `5 approved, 1 already decided.` */
export function batchReport(
  outcomes: readonly DecisionOutcome[],
  verb: Verb,
): { text: string; tone: 'plain' | 'bad' } {
  const done = outcomes.filter(({ kind }) => kind === 'decided').length
  const already = outcomes.filter(({ kind }) => kind === 'already').length
  const failed = outcomes.filter(({ kind }) => kind !== 'decided' && kind !== 'already')
  const parts = [
    words.batch[verb](done),
    already === 0 ? '' : words.batch.already(already),
    failed.length === 0 ? '' : words.batch.pending(failed.length, outcomeWords(failed[0] as DecisionOutcome)),
  ].filter((part) => part !== '')
  return { text: `${parts.join(', ')}.`.replace('..', '.'), tone: failed.length === 0 ? 'plain' : 'bad' }
}

function without(all: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(all)
  next.delete(id)
  return next
}
