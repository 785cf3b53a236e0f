/** What was not done because nobody asked for it: one row that opens. Nothing runs from here; what is let ask comes as a request. */
import type { CallId, SessionId, UnaskedCall, UnaskedView } from '@countersign/contract'
import { useChange, useGateway } from '../environment/queries.ts'
import { Button, Mono, Safe, TierChip, useNotify } from '../kit/index.ts'
import { words } from '../words/approvals.tsx'

const touched = [['unasked'], ['approvals'], ['runs']]

/** Those of one conversation, or of all. */
export function UnaskedRows({ session, className }: { session?: SessionId | null; className?: string }) {
  const rows = useGateway(['unasked'], (client) => client.unasked(), { everyMs: 60_000 })
  const shown = (rows.data ?? []).filter((row) => session === undefined || row.session === session)
  if (shown.length === 0) return null
  return (
    <ul aria-label={words.unasked.label} className={className}>
      {shown.map((row) => (
        <li key={row.id}>
          <UnaskedRow row={row} />
        </li>
      ))}
    </ul>
  )
}

function UnaskedRow({ row }: { row: UnaskedView }) {
  const notify = useNotify()
  const dismiss = useChange((client, id: string) => client.dismissUnasked(id), touched)
  const letAsk = useChange((client, call: CallId) => client.letAsk(row.id, call), touched)
  const fail = ({ message }: Error) => notify({ text: message, tone: 'bad' })
  const busy = dismiss.isPending || letAsk.isPending
  const more = row.count - row.calls.length
  return (
    <details className="rounded-1 border border-line px-3 py-2 text-small">
      <summary className="cursor-pointer font-medium">{words.unasked.count(row.count)}</summary>
      <p className="mt-2 text-ink-2">{words.unasked.explain}</p>
      <ul className="mt-2 divide-y divide-line">
        {row.calls.map((call) => (
          <HeldCall
            key={call.call}
            call={call}
            busy={busy}
            onLetAsk={() =>
              letAsk.mutate(call.call, {
                onSuccess: () => notify({ text: words.unasked.lets }),
                onError: fail,
              })
            }
          />
        ))}
      </ul>
      {more > 0 ? <p className="py-2 text-ink-3">{words.unasked.more(more)}</p> : null}
      <div className="flex justify-end pt-1">
        <Button
          variant="quiet"
          size="small"
          disabled={busy}
          onClick={() =>
            dismiss.mutate(row.id, {
              onSuccess: ({ ledger }) => notify({ text: words.unasked.dismissed(ledger) }),
              onError: fail,
            })
          }
        >
          {words.unasked.dismiss}
        </Button>
      </div>
    </details>
  )
}

function HeldCall({
  call: { tool, headline, tier, reason },
  busy,
  onLetAsk,
}: {
  call: UnaskedCall
  busy: boolean
  onLetAsk: () => void
}) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2">
          <TierChip tier={tier} />
          <Mono text={tool} />
        </p>
        <p className="mt-1 break-words">
          <Safe text={headline} />
        </p>
        <p className="text-ink-2">
          <Safe text={reason} />
        </p>
      </div>
      <Button variant="quiet" size="small" disabled={busy} onClick={onLetAsk}>
        {words.unasked.letAsk}
      </Button>
    </li>
  )
}
