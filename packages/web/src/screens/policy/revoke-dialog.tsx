/** Asks before grants end, and shows which. */

import type { GrantView } from '@countersign/contract'
import { Button, Dialog } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/policy.tsx'
import { GrantLines } from './grant-lines.tsx'

export function RevokeDialog({
  ended,
  isAll,
  busy,
  onClose,
  onRevoke,
}: {
  ended: readonly GrantView[]
  isAll: boolean
  busy: boolean
  onClose: () => void
  onRevoke: (ended: readonly GrantView[]) => void
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={isAll ? words.revoking.all : words.revokeCount(ended.length)}
      description={words.revoking.description}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button variant="danger" busy={busy} disabled={ended.length === 0} onClick={() => onRevoke(ended)}>
            {words.revokeCount(ended.length)}
          </Button>
        </>
      }
    >
      <GrantLines title={words.revoking.ends} grants={ended} />
    </Dialog>
  )
}
