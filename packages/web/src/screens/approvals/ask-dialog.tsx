/** Asks the agent about a request. The request goes on waiting; the answer stands in the card, unverified. */

import type { ApprovalView } from '@countersign/contract'
import { useState } from 'react'
import { Button, Dialog, Safe, TextArea } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import { words as common } from '../../words/common.ts'

export function AskDialog({
  approval,
  busy,
  onClose,
  onAsk,
}: {
  approval: ApprovalView
  busy: boolean
  onClose: () => void
  onAsk: (question: string) => void
}) {
  const [question, setQuestion] = useState('')
  const isEmpty = question.trim() === ''
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.ask.title}
      description={<Safe text={approval.card.headline} />}
      size="small"
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button variant="go" busy={busy} disabled={isEmpty} onClick={() => onAsk(question.trim())}>
            {busy ? words.ask.busy : words.ask.send}
          </Button>
        </>
      }
    >
      <TextArea
        label={words.ask.question}
        rows={3}
        value={question}
        maxLength={2_000}
        onChange={(event) => setQuestion(event.target.value)}
        placeholder={words.ask.placeholder}
        hint={words.ask.hint}
      />
    </Dialog>
  )
}
