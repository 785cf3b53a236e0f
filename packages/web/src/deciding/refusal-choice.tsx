/** Whether a denial also holds from now on, and for how much: the rule is read out before it is written. */

import type { ApprovalDetail, RefusalStop } from '@countersign/contract'
import { Safe, Select } from '../kit/index.ts'
import { words } from '../words/approvals.tsx'

export type Refusals = ApprovalDetail['refusals']

export function RefusalChoice({
  refusals,
  value,
  onChange,
}: {
  refusals: Refusals
  value: RefusalStop | ''
  onChange: (value: RefusalStop | '') => void
}) {
  const chosen = refusals.find(({ stop }) => stop === value)
  if (refusals.length === 0) return null
  return (
    <Select
      label={words.deny.next}
      value={value}
      onChange={(event) => onChange(event.target.value as RefusalStop | '')}
      options={[
        ['', words.deny.askAgain],
        ...refusals.map(({ stop }) => [stop, words.deny.always[stop]] as const),
      ]}
      {...(chosen === undefined
        ? {}
        : {
            hint: (
              <>
                <Safe text={chosen.sentence} /> {words.deny.removable}
              </>
            ),
          })}
    />
  )
}
