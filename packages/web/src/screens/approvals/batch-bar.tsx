/** What is selected in the list, and what can be done with all of it at once. */
import type { ApprovalView } from '@countersign/contract'
import { ApproveButton, Button } from '../../kit/index.ts'
import { words } from '../../words/approvals.tsx'
import { mayBeBatched } from './groups.ts'
import type { Selection } from './selection.ts'

export function BatchBar({
  selection,
  onApprove,
  onDeny,
}: {
  selection: Selection
  onApprove: (approvals: readonly ApprovalView[]) => void
  onDeny: () => void
}) {
  const { selected, opened, clear } = selection
  if (selected.length === 0) return null
  const ready = selected.filter((approval) => mayBeBatched(approval, opened))
  const rest = selected.length - ready.length
  return (
    <div className="w-full" role="group" aria-label={words.batch.label}>
      <p className="text-small text-ink-2">
        {words.batch.selected(selected.length)}
        {rest === 0 ? '' : words.batch.notReady(rest)}
      </p>
      <div className="mt-1.5 flex flex-wrap gap-2">
        <Button onClick={onDeny}>{words.batch.deny(selected.length)}</Button>
        <Button variant="quiet" onClick={clear}>
          {words.batch.clear}
        </Button>
        <span className="flex-1" />
        <ApproveButton disabled={ready.length === 0} onClick={() => onApprove(ready)}>
          {words.batch.approve(ready.length)}
        </ApproveButton>
      </div>
    </div>
  )
}
