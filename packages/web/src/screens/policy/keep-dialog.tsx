/** Asks before everything but the chosen ends, and shows what that is. */

import type { GrantView } from '@countersign/contract'
import { Button, Dialog } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/policy.tsx'
import { GrantLines } from './grant-lines.tsx'

export function KeepDialog({
  ended,
  kept,
  busy,
  onClose,
  onRevoke,
}: {
  ended: readonly GrantView[]
  kept: readonly GrantView[]
  busy: boolean
  onClose: () => void
  onRevoke: (ended: readonly GrantView[]) => void
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={kept.length === 0 ? words.keep.all : words.grants.revokeAllBut(kept.length)}
      description={words.keep.description}
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
      <GrantLines title={words.keep.ends} grants={ended} />
      {kept.length === 0 ? null : <GrantLines title={words.keep.stays} grants={kept} />}
    </Dialog>
  )
}
