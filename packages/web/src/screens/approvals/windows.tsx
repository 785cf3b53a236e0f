/** The windows in which a request is denied, asked about, edited or made a rule. */
import type { ApprovalDetail, ApprovalView, RuleRequest } from '@countersign/contract'
import { AskDialog } from './ask-dialog.tsx'
import { type DenialChoice, DenyDialog } from './deny-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import type { Requests } from './requests.ts'
import { RuleDialog } from './rule-dialog.tsx'

export type OpenWindow = 'deny' | 'deny and stop' | 'deny always' | 'ask' | 'edit' | 'rule'

export interface RequestWindowProps {
  readonly open: OpenWindow
  readonly approval: ApprovalView
  readonly detail: ApprovalDetail | undefined
  /** How many others would be denied with it. */
  readonly similar: number
  readonly busy: boolean
  readonly requests: Requests
  readonly onClose: () => void
  readonly onDeny: (denial: DenialChoice) => void
  readonly onRule: (rule: RuleRequest) => void
}

export function RequestWindow(props: RequestWindowProps) {
  const { open, approval, detail, requests, onClose } = props
  const closeAfter = (done: Promise<boolean>) => void done.then((isDone) => (isDone ? onClose() : undefined))
  switch (open) {
    case 'deny':
    case 'deny and stop':
    case 'deny always':
      return (
        <DenyDialog
          approval={approval}
          similar={props.similar}
          stopFirst={open === 'deny and stop'}
          alwaysFirst={open === 'deny always'}
          refusals={detail?.refusals ?? []}
          onClose={onClose}
          onDeny={props.onDeny}
        />
      )
    case 'ask':
      return (
        <AskDialog
          approval={approval}
          busy={requests.asking}
          onClose={onClose}
          onAsk={(question) => closeAfter(requests.ask(approval, question))}
        />
      )
    case 'edit':
      return detail === undefined ? null : (
        <EditDialog
          detail={detail}
          {...requests.editing}
          onClose={onClose}
          onSave={(args) => closeAfter(requests.edit(approval, args))}
        />
      )
    case 'rule':
      return <RuleDialog approval={approval} busy={props.busy} onClose={onClose} onSave={props.onRule} />
  }
}
