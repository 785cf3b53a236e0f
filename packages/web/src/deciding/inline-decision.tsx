/**
 * One request where the work is: exactly what will run, what it can affect, and the decision about it, by the same
 * seal and the same delay as on its own page. No letter decides here: a person may be typing beside it.
 */

import { type ApprovalView, cardFlags, type GrantRequest, type RefusalStop } from '@countersign/contract'
import { useEffect, useRef, useState } from 'react'
import type { Live } from '../data/live.ts'
import { useApproval } from '../environment/queries.ts'
import { useLive } from '../environment/services.tsx'
import {
  ApproveButton,
  Button,
  ButtonLink,
  Flags,
  hearsKeys,
  Menu,
  Safe,
  TextField,
  TierChip,
  useIsNarrow,
  useNow,
} from '../kit/index.ts'
import { leftWords } from '../language/format.ts'
import { words } from '../words/approvals.tsx'
import { words as common } from '../words/common.ts'
import { words as deciding } from '../words/deciding.ts'
import { approveLabel, wider } from './approve-choices.ts'
import { Arguments } from './arguments.tsx'
import { useArmed } from './arming-delay.ts'
import { ActorChain, AskingLines, Effects } from './card.tsx'
import { type Decisions, type Denial, useDecisions } from './decisions.ts'
import { Preview } from './preview.tsx'
import { RefusalChoice } from './refusal-choice.tsx'

export function InlineDecision({ approval }: { approval: ApprovalView }) {
  const now = useNow()
  const { card, code } = approval
  return (
    <section
      aria-label={deciding.inline.label(code)}
      className="overflow-hidden rounded-2 border border-t2/60 bg-sheet"
    >
      <div className="space-y-3 px-4 py-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-3">
          <TierChip tier={card.tier} />
          <span>{code}</span>
          <span>{words.card.expires(leftWords(approval.expiresAt, now))}</span>
        </div>
        <h3 className="text-large font-[600] text-ink">
          <Safe text={card.headline} />
        </h3>
        <ActorChain chain={card.chain} />
        <Flags flags={cardFlags(card)} />
        <Preview preview={card.preview} />
        <Arguments card={card} />
        <Effects effects={card.effects} />
        <div className="text-small">
          <AskingLines approval={approval} as="p" />
        </div>
      </div>
      <DecisionLine approval={approval} />
    </section>
  )
}

/** All that wait: when one of them comes or goes, those below it move. */
function allPending({ state }: Live): string {
  return Object.keys(state.approvals).toSorted().join(' ')
}

function DecisionLine({ approval }: { approval: ApprovalView }) {
  const online = useLive((live) => live.link.kind === 'live')
  const decisions = useDecisions()
  const [denying, setDenying] = useState(false)
  const busy = decisions.busy.has(approval.id)
  const armed = useArmed(approval.digest, busy, useLive(allPending))
  const approve = (grant?: GrantRequest) => {
    if (armed && online) void decisions.approve(approval, grant)
  }
  const bar =
    'flex flex-wrap items-center gap-2 border-t border-line bg-well/50 px-4 py-2.5 max-md:[&>button]:min-h-11'
  if (!online) return <p className={`${bar} text-ink-2`}>{words.offline}</p>
  if (denying)
    return (
      <DenyLine
        className={bar}
        busy={busy}
        onBack={() => setDenying(false)}
        approval={approval}
        onDeny={(denial) => void decisions.deny(approval, denial)}
      />
    )
  return (
    <div className={bar}>
      <Button busy={busy} onClick={() => setDenying(true)}>
        {words.decide.deny}
      </Button>
      <ButtonLink to={`/approvals/${approval.code}`} variant="quiet">
        {deciding.inline.open}
      </ButtonLink>
      <span className="flex-1" />
      <Approving approval={approval} decisions={decisions} busy={busy || !armed} onApprove={approve} />
    </div>
  )
}

function Approving({
  approval,
  decisions,
  busy,
  onApprove,
}: {
  approval: ApprovalView
  decisions: Pick<Decisions, 'unconfirmed'>
  busy: boolean
  onApprove: (grant?: GrantRequest) => void
}) {
  const narrow = useIsNarrow()
  const more = wider(approval).map(({ scope, sentence }) => ({
    label: words.decide.scope[scope],
    detail: sentence,
    disabled: busy,
    run: () => onApprove({ scope }),
  }))
  return (
    <>
      {more.length === 0 ? null : <Menu label={words.decide.allowMore} side="top" items={more} />}
      <ApproveButton
        key={approval.digest}
        size={narrow ? 'large' : 'medium'}
        busy={busy}
        className={narrow ? 'flex-1' : ''}
        onClick={() => onApprove()}
      >
        {approveLabel(approval, decisions.unconfirmed.has(approval.id))}
      </ApproveButton>
    </>
  )
}

/** The reason is optional: Enter alone denies, and Escape goes back. */
function DenyLine({
  approval,
  className,
  busy,
  onBack,
  onDeny,
}: {
  approval: ApprovalView
  className: string
  busy: boolean
  onBack: () => void
  onDeny: (denial: Denial) => void
}) {
  const detail = useApproval(approval.id)
  const [reason, setReason] = useState('')
  const [always, setAlways] = useState<RefusalStop | ''>('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      ref={(form: HTMLFormElement | null) =>
        hearsKeys(({ key }) => {
          if (key === 'Escape') onBack()
        })(form)
      }
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        if (busy) return
        onDeny({ reason: reason.trim(), stop: false, ...(always === '' ? {} : { always }) })
      }}
    >
      <div className="min-w-48 flex-1">
        <TextField
          ref={field}
          label={words.deny.reason}
          value={reason}
          maxLength={2_000}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      <div className="min-w-48 flex-1">
        <RefusalChoice refusals={detail.data?.refusals ?? []} value={always} onChange={setAlways} />
      </div>
      <div className="flex gap-2 self-end">
        <Button variant="quiet" onClick={onBack}>
          {common.back}
        </Button>
        <Button variant="danger" type="submit" busy={busy}>
          {words.decide.deny}
        </Button>
      </div>
    </form>
  )
}
