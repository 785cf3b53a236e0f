/** The bar of decisions: Deny first, Approve last. Nothing here has the focus by itself, and Enter alone approves nothing. */

import type { ApprovalView, GrantRequest } from '@countersign/contract'
import { approveLabel, offersRule, scopeKeys, wider } from '../../deciding/approve-choices.ts'
import { ApproveButton, Button, Menu, useIsNarrow } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'

export interface BarProps {
  readonly approval: ApprovalView
  readonly armed: boolean
  readonly busy: boolean
  readonly unconfirmed: boolean
  /** Why nothing can be decided here, or null. */
  readonly blocked: string | null
  readonly onDeny: () => void
  readonly onDenyAlways: () => void
  readonly onEdit: () => void
  readonly onAsk: () => void
  readonly onApprove: (grant?: GrantRequest) => void
  readonly onRule: () => void
}

export function DecideBar(props: BarProps) {
  const { approval, armed, busy, unconfirmed, blocked } = props
  const narrow = useIsNarrow()
  if (blocked !== null) return <p className="text-ink-2">{blocked}</p>
  const more = [
    ...wider(approval).map((option) => ({
      label: words.decide.scope[option.scope],
      detail: option.sentence,
      keys: scopeKeys[option.scope],
      disabled: busy || !armed,
      run: () => props.onApprove({ scope: option.scope }),
    })),
    ...(offersRule(approval)
      ? [
          {
            label: words.decide.createRule,
            detail: words.decide.createRuleDetail,
            keys: 'p',
            run: props.onRule,
          },
        ]
      : []),
  ]
  const others = [
    { label: words.decide.alwaysDeny, keys: 'n', run: props.onDenyAlways },
    { label: words.decide.edit, keys: 'e', run: props.onEdit },
    { label: words.decide.askAgent, keys: 'q', run: props.onAsk },
  ]
  // Another request gets another button, which does not have the focus of the last one.
  const approve = (
    <ApproveButton
      key={approval.digest}
      size={narrow ? 'large' : 'medium'}
      {...(narrow ? {} : { keys: 'a' })}
      busy={busy || !armed}
      className={narrow ? 'flex-1 basis-auto whitespace-nowrap' : ''}
      onClick={() => props.onApprove()}
    >
      {approveLabel(approval, unconfirmed)}
    </ApproveButton>
  )
  if (narrow)
    return (
      <>
        <Button size="large" className="flex-1 basis-auto" busy={busy} onClick={props.onDeny}>
          {words.decide.deny}
        </Button>
        <Menu label={words.decide.more} variant="plain" side="top" items={[...others, ...more]} />
        {approve}
      </>
    )
  return (
    <>
      <Button keys="d" busy={busy} onClick={props.onDeny}>
        {words.decide.deny}
      </Button>
      {others.map(({ label, keys, run }) => (
        <Button key={label} variant="quiet" keys={keys} onClick={run}>
          {label}
        </Button>
      ))}
      <span className="flex-1" />
      {more.length === 0 ? null : <Menu label={words.decide.allowMore} side="top" items={more} />}
      {approve}
    </>
  )
}
