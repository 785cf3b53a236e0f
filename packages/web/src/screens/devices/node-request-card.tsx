/**
 * A computer asks to become a node. It is refused here, and let in at the host only: the words that it shows bind the
 * host's own key, which this browser cannot check.
 */
import type { NodePairingRequestView } from '@countersign/contract'
import { useChange } from '../../environment/queries.ts'
import { Button, CopyButton, DisplayFlags, Mono, Safe, useNotify, useNow } from '../../kit/index.ts'
import { leftWords } from '../../language/format.ts'
import { words } from '../../words/devices.tsx'

const command = 'countersign node approve'

export function NodeRequestCard({
  request,
  online,
  mayRefuse,
}: {
  request: NodePairingRequestView
  online: boolean
  mayRefuse: boolean
}) {
  const now = useNow(5_000)
  const notify = useNotify()
  const refuse = useChange((client, id: string) => client.refuseNodePairing(id), [['nodes']])
  const { id, name, platform, expiresAt } = request
  const turnAway = () =>
    refuse.mutate(id, {
      onSuccess: ({ ledger }) => notify({ text: words.request.refused(name, ledger) }),
      onError: (error) => notify({ text: error.message, tone: 'bad' }),
    })
  return (
    <article
      aria-labelledby={`request-${id}`}
      className="overflow-hidden rounded-2 border border-edge bg-sheet shadow-1"
    >
      <div className="px-4 py-3 sm:px-5 sm:pt-4">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 id={`request-${id}`} className="text-large font-bold text-ink">
            {words.nodes.request.title(<Safe text={name} />)}
          </h3>
          <p className="text-small text-ink-3">
            <Safe text={platform} />
            {platform === '' ? '' : ' · '}
            {words.request.left(leftWords(expiresAt, now))}
          </p>
        </div>
        <DisplayFlags texts={[name, platform]} multiline={false} />
        <p className="mt-1 max-w-prose text-ink-2">{words.nodes.request.about}</p>
        <p className="mt-2 flex flex-wrap items-center gap-x-2">
          <Mono text={command} /> <CopyButton text={command} size="small" />
        </p>
      </div>
      <div className="border-t border-line px-4 py-3 sm:px-5">
        <Button disabled={!online || !mayRefuse} busy={refuse.isPending} onClick={turnAway}>
          {words.request.refuse}
        </Button>
      </div>
    </article>
  )
}
