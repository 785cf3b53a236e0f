/** Asks why, so that the agent learns something from a refusal. The reason is optional; the refusal is not undone by closing. */

import type { ApprovalView, RefusalStop } from '@countersign/contract'
import { useRef, useState } from 'react'
import type { Denial } from '../../deciding/decisions.ts'
import { RefusalChoice, type Refusals } from '../../deciding/refusal-choice.tsx'
import { Button, Checkbox, Dialog, hearsKeys, Safe, TextArea } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import { words as common } from '../../words/common.ts'

export interface DenialChoice extends Denial {
  /** The others of the same tool and run are denied too. */
  readonly similar: boolean
}

const { chips } = words.deny
const reasons = [chips.target, chips.much, chips.later, `${chips.differently}:`]

export function DenyDialog({
  approval,
  similar,
  stopFirst,
  refusals = [],
  alwaysFirst = false,
  onClose,
  onDeny,
}: {
  approval: ApprovalView
  /** How many others would be denied with it. */
  similar: number
  stopFirst: boolean
  /** The rules that it can write for what comes after it. */
  refusals?: Refusals
  alwaysFirst?: boolean
  onClose: () => void
  onDeny: (denial: DenialChoice) => void
}) {
  const [reason, setReason] = useState('')
  const [stop, setStop] = useState(stopFirst)
  const [all, setAll] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const [chosen, setAlways] = useState<RefusalStop | '' | null>(null)
  // They may arrive after the window opened.
  const always = chosen ?? ((alwaysFirst && refusals[0]?.stop) || '')
  const deny = () => {
    // Whoever came to deny it for ever does not deny it once by being quick.
    if (alwaysFirst && refusals.length === 0) return
    onDeny({ reason: reason.trim(), stop, similar: all, ...(always === '' ? {} : { always }) })
  }
  const choose = (chip: string) => setReason(chip.endsWith(':') ? `${chip} ` : chip)
  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      deny()
      return
    }
    // A digit in words that somebody wrote is a digit.
    const chip = /^[1-4]$/.test(event.key) ? reasons[Number(event.key) - 1] : undefined
    if (chip === undefined || (reason !== '' && !reasons.includes(reason.trim()))) return
    event.preventDefault()
    choose(chip)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.deny.title}
      description={<Safe text={approval.card.headline} />}
      size="small"
      focus={field}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button variant="danger" keys="mod+enter" onClick={deny}>
            {words.deny.title}
          </Button>
        </>
      }
    >
      <div className="space-y-3" ref={hearsKeys(onKey)}>
        <div className="flex flex-wrap gap-2" role="group" aria-label={words.deny.reasons}>
          {reasons.map((chip, place) => (
            <Button
              key={chip}
              size="small"
              keys={String(place + 1)}
              aria-pressed={reason.startsWith(chip)}
              onClick={() => choose(chip)}
            >
              {chip.replace(':', '…')}
            </Button>
          ))}
        </div>
        <TextArea
          ref={field}
          label={words.deny.reason}
          rows={3}
          value={reason}
          maxLength={2_000}
          onChange={(event) => setReason(event.target.value)}
          hint={words.deny.hint}
        />
        <RefusalChoice refusals={refusals} value={always} onChange={setAlways} />
        <div className="flex flex-col items-start gap-1">
          {similar === 0 ? null : (
            <Checkbox label={words.deny.similar(similar)} checked={all} onChange={setAll} />
          )}
          <Checkbox label={words.deny.stop} checked={stop} onChange={setStop} />
        </div>
      </div>
    </Dialog>
  )
}
