/** Ends the grants that nothing used for a while. What would end is asked of the gateway first and shown. */

import { useState } from 'react'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Choice, Dialog, Loaded, useNotify } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/policy.tsx'
import { GrantLines } from './grant-lines.tsx'

const spans = ['7', '30', '90'] as const
type Span = (typeof spans)[number]

export function PruneDialog({ onClose }: { onClose: () => void }) {
  const notify = useNotify()
  const [days, setDays] = useState<Span>('30')
  const preview = useGateway(['grants', 'prune', days], (client) => client.pruneGrants(Number(days), true), {
    freshMs: 0,
  })
  const prune = useChange((client, unused: number) => client.pruneGrants(unused, false), [['grants']])
  const count = preview.data?.grants.length ?? 0
  const run = () =>
    prune.mutate(Number(days), {
      onSuccess: ({ grants, ledger }) => {
        onClose()
        notify({
          text: [words.prune.revoked(grants.length), ledger === null ? '' : common.ledgerEntry(ledger)]
            .join(' ')
            .trim(),
        })
      },
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.prune.title}
      description={words.prune.description}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {common.back}
          </Button>
          <Button variant="danger" busy={prune.isPending} disabled={count === 0} onClick={run}>
            {words.revokeCount(count)}
          </Button>
        </>
      }
    >
      <div className="mb-4">
        <Choice
          label={words.prune.unusedFor}
          value={days}
          options={spans.map((value) => ({ value, label: words.prune.days(Number(value)) }))}
          onChange={setDays}
        />
      </div>
      <Loaded
        query={preview}
        isEmpty={({ grants }) => grants.length === 0}
        empty={<p className="text-ink-2">{words.prune.none(Number(days))}</p>}
      >
        {({ grants }) => <GrantLines title={words.prune.wouldEnd} grants={grants} />}
      </Loaded>
    </Dialog>
  )
}
