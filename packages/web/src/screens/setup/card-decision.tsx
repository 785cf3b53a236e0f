/** The decision about the first card: deny or approve once, and nothing wider. Nothing here has the focus by itself. */

import type { ApprovalView } from '@countersign/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useArmed } from '../../deciding/arming-delay.ts'
import { useDecisions } from '../../deciding/decisions.ts'
import { useKeys } from '../../environment/keys.tsx'
import { ApproveButton, Button, classes, PlainLink, useIsNarrow } from '../../kit/index.ts'
import { words as approvalWords } from '../../words/approvals.tsx'
import { words } from '../../words/setup.tsx'
import { onboardingKey } from './flow.ts'

export function CardDecision({ approval }: { approval: ApprovalView }) {
  const decisions = useDecisions()
  const narrow = useIsNarrow()
  const queries = useQueryClient()
  const busy = decisions.busy.has(approval.id)
  const armed = useArmed(approval.digest, busy)
  const refresh = () => void queries.invalidateQueries({ queryKey: onboardingKey })
  const approve = () => {
    if (armed) void decisions.approve(approval).then(refresh)
  }
  const deny = () => {
    if (!busy) void decisions.deny(approval, { reason: '', stop: false }).then(refresh)
  }
  useKeys(words.action.keys, [
    { keys: 'a', label: approvalWords.decide.approveOnce, run: approve },
    { keys: 'd', label: approvalWords.decide.deny, run: deny },
  ])
  const size = narrow ? 'large' : 'medium'
  const grow = classes(narrow && 'flex-1')
  return (
    <>
      <Button keys="d" size={size} className={grow} busy={busy} onClick={deny}>
        {approvalWords.decide.deny}
      </Button>
      {narrow ? null : (
        <>
          <PlainLink
            to={`/approvals/${approval.code}`}
            className="target rounded-1 px-2 py-1.5 text-small font-medium text-ink-2"
          >
            {words.action.openApprovals}
          </PlainLink>
          <span className="flex-1" />
        </>
      )}
      <ApproveButton
        key={approval.digest}
        keys="a"
        size={size}
        className={grow}
        busy={busy || !armed}
        onClick={approve}
      >
        {decisions.unconfirmed.has(approval.id)
          ? approvalWords.decide.unconfirmed
          : approvalWords.decide.approveOnce}
      </ApproveButton>
    </>
  )
}
