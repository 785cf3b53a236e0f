/** Asks the agent about a request. The request goes on waiting; the answer stands in the card, unverified. */
import type { ApprovalView } from '@countersign/contract'
import { useState } from 'react'
import { Button, Dialog, Safe, TextArea } from '../../kit/index.ts'

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
      title="Ask the agent"
      description={<Safe text={approval.card.headline} />}
      size="small"
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <Button look="go" busy={busy} disabled={isEmpty} onClick={() => onAsk(question.trim())}>
            {busy ? 'Waiting for its answer…' : 'Ask'}
          </Button>
        </>
      }
    >
      <TextArea
        label="Your question"
        rows={3}
        value={question}
        maxLength={2_000}
        onChange={(event) => setQuestion(event.target.value)}
        placeholder="Why this recipient?"
        hint="The request stays as it is. The answer is the model’s own words and nothing more."
      />
    </Dialog>
  )
}
