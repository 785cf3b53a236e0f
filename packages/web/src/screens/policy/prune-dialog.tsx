/** Ends the grants that nothing used for a while. What would end is asked of the gateway first and shown. */
import { useState } from 'react'
import { useChange, useGateway } from '../../data/queries.ts'
import { Button, Choice, Dialog, Loaded, useNotify } from '../../kit/index.ts'
import { countWords } from '../../language/plural.ts'
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
          text: `Revoked ${countWords(grants.length, 'grant')}.${ledger === null ? '' : ` Ledger #${ledger}.`}`,
        })
      },
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Revoke what is not used"
      description="A grant that nothing uses is only a way in. The call that would have used it asks you."
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Back
          </Button>
          <Button look="danger" busy={prune.isPending} disabled={count === 0} onClick={run}>
            Revoke {countWords(count, 'grant')}
          </Button>
        </>
      }
    >
      <div className="mb-4">
        <Choice
          label="Not used for"
          value={days}
          options={spans.map((value) => ({ value, label: `${value} days` }))}
          onChange={setDays}
        />
      </div>
      <Loaded
        query={preview}
        isEmpty={({ grants }) => grants.length === 0}
        empty={<p className="text-ink-2">Every grant was used within {days} days.</p>}
      >
        {({ grants }) => <GrantLines title="Would end" grants={grants} />}
      </Loaded>
    </Dialog>
  )
}
