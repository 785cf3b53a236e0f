/** Asks before everything but the chosen ends, and shows what that is. */
import type { GrantView } from '@countersign/contract'
import { Button, Dialog } from '../../kit/index.ts'
import { countWords } from '../../language/plural.ts'
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
      title={kept.length === 0 ? 'Revoke every grant' : `Revoke all except ${kept.length}`}
      description="Calls that they let through ask you again. What is running now is not stopped."
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <Button look="danger" busy={busy} disabled={ended.length === 0} onClick={() => onRevoke(ended)}>
            Revoke {countWords(ended.length, 'grant')}
          </Button>
        </>
      }
    >
      <GrantLines title="Ends" grants={ended} />
      {kept.length === 0 ? null : <GrantLines title="Stays" grants={kept} />}
    </Dialog>
  )
}
