/** What can be taken back of a run, call by call, and what cannot. Taking back is a run of its own and may ask. */

import type { CallView } from '@countersign/contract'
import { useState } from 'react'
import { useChange, useRun } from '../../environment/queries.ts'
import { useGo } from '../../environment/route.ts'
import { Button, Checkbox, Dialog, Loaded, Safe, useNotify } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/today.tsx'

export function UndoDialog({ run, onClose }: { run: string; onClose: () => void }) {
  const go = useGo()
  const notify = useNotify()
  const detail = useRun(run)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const undo = useChange(
    (client, calls: readonly string[]) => client.undoRun(run, calls),
    [['runs'], ['run', run], ['feed']],
  )
  const { undoable, final } = partedCalls(detail.data?.calls ?? [])
  const chosen = undoable.filter(({ id }) => !left.has(id))
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
  const start = () =>
    undo.mutate(
      chosen.map(({ id }) => id),
      {
        onSuccess: (reply) => {
          onClose()
          notify({
            text: words.undo.started(reply.calls, reply.ledger),
            action: { label: words.undo.watch, run: () => go(`/activity/${reply.run}`) },
          })
        },
        onError: (error) => notify({ text: error.message, tone: 'bad' }),
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.undo.title}
      description={words.undo.description}
      size="medium"
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button busy={undo.isPending} disabled={chosen.length === 0} onClick={start}>
            {words.undo.undo(chosen.length)}
          </Button>
        </>
      }
    >
      <Loaded query={detail}>
        {() => (
          <>
            {undoable.length === 0 ? (
              <p>{words.undo.none}</p>
            ) : (
              <ul aria-label={words.undo.can} className="space-y-1">
                {undoable.map((call) => (
                  <li key={call.id}>
                    <Checkbox
                      label={<Safe text={call.headline} />}
                      checked={!left.has(call.id)}
                      onChange={() => toggle(call.id)}
                    />
                  </li>
                ))}
              </ul>
            )}
            {final.length === 0 ? null : (
              <div className="mt-4">
                <h3 className="mb-1">{words.undo.cannot}</h3>
                <ul className="list-disc space-y-0.5 ps-5 text-ink-2">
                  {final.map((call) => (
                    <li key={call.id}>
                      <Safe text={call.headline} />
                    </li>
                  ))}
                </ul>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** Of what was done: what can be put back, and what left traces elsewhere. */
function partedCalls(calls: readonly CallView[]): {
  readonly undoable: readonly CallView[]
  readonly final: readonly CallView[]
} {
  const done = calls.filter(({ outcome, tier }) => outcome === 'ok' && (tier ?? 0) > 0).toReversed()
  return {
    undoable: done.filter(({ undoable }) => undoable),
    final: done.filter(({ undoable, undone }) => !undoable && !undone),
  }
}
