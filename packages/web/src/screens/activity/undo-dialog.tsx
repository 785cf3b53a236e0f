/** What a run did that can be taken back, to choose from, and honestly what cannot. */

import type { RunDetail } from '@countersign/contract'
import { useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { Button, Checkbox, Dialog, Safe, useNotify } from '../../kit/index.ts'
import { words } from '../../words/activity.tsx'
import { words as common } from '../../words/common.ts'

export function UndoDialog({ detail, onClose }: { detail: RunDetail; onClose: () => void }) {
  const notify = useNotify()
  const undoable = detail.calls.filter((call) => call.undoable)
  const lasting = detail.calls.filter(
    (call) => !call.undoable && !call.undone && call.outcome === 'ok' && (call.tier ?? 0) >= 1,
  )
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = undoable.filter(({ id }) => !left.has(id)).map(({ id }) => id)
  const undo = useChange(
    (client) => client.undoRun(detail.run.id, chosen),
    [['run', detail.run.id], ['runs']],
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.undo.title}
      description={words.undo.description}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button
            variant="go"
            busy={undo.isPending}
            disabled={chosen.length === 0}
            onClick={() =>
              undo.mutate(undefined, {
                onSuccess: ({ calls }) => {
                  notify({ text: words.undo.undoing(calls) })
                  onClose()
                },
                onError: (error) => notify({ text: error.message, tone: 'bad' }),
              })
            }
          >
            {words.undo.undo(chosen.length)}
          </Button>
        </>
      }
    >
      {undoable.length === 0 ? <p className="text-ink-2">{words.undo.none}</p> : null}
      <ul className="space-y-1">
        {undoable.toReversed().map((call) => (
          <li key={call.id}>
            <Checkbox
              label={<Safe text={call.headline} />}
              checked={!left.has(call.id)}
              onChange={(on) => {
                const next = new Set(left)
                if (on) next.delete(call.id)
                else next.add(call.id)
                setLeft(next)
              }}
            />
          </li>
        ))}
      </ul>
      {lasting.length === 0 ? null : (
        <div className="mt-4">
          <h3>{words.undo.cannot}</h3>
          <ul className="mt-1 list-disc ps-5 text-ink-2">
            {lasting.map((call) => (
              <li key={call.id}>
                <Safe text={call.headline} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
