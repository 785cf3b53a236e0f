/** Asks why, so that the agent learns something from a refusal. The reason is optional; the refusal is not undone by closing. */
import type { ApprovalView } from '@countersign/contract'
import { useState } from 'react'
import { Button, Checkbox, Dialog, Safe, TextArea } from '../../kit/index.ts'

export interface Denial {
  readonly reason: string
  readonly stop: boolean
  readonly similar: boolean
}

const chips = ['Wrong target', 'Too much', 'Not now', 'Do it differently:'] as const

export function DenyDialog({
  approval,
  similar,
  stopFirst,
  onClose,
  onDeny,
}: {
  approval: ApprovalView
  /** How many others would be denied with it. */
  similar: number
  stopFirst: boolean
  onClose: () => void
  onDeny: (denial: Denial) => void
}) {
  const [reason, setReason] = useState('')
  const [stop, setStop] = useState(stopFirst)
  const [all, setAll] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Deny"
      description={<Safe text={approval.card.headline} />}
      size="small"
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <Button look="danger" onClick={() => onDeny({ reason: reason.trim(), stop, similar: all })}>
            Deny
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <div className="flex flex-wrap gap-2" role="group" aria-label="Reasons">
          {chips.map((chip) => (
            <Button
              key={chip}
              size="small"
              aria-pressed={reason.startsWith(chip)}
              onClick={() => setReason(chip.endsWith(':') ? `${chip} ` : chip)}
            >
              {chip.replace(':', '…')}
            </Button>
          ))}
        </div>
        <TextArea
          label="What the agent should know"
          rows={3}
          value={reason}
          maxLength={2_000}
          onChange={(event) => setReason(event.target.value)}
          hint="It is told this and goes on without the call."
        />
        <div className="flex flex-col items-start gap-1">
          {similar === 0 ? null : (
            <Checkbox
              label={`Also deny the ${String(similar)} similar ${similar === 1 ? 'request' : 'requests'}`}
              checked={all}
              onChange={setAll}
            />
          )}
          <Checkbox label="Stop the whole run" checked={stop} onChange={setStop} />
        </div>
      </div>
    </Dialog>
  )
}
