/** The events of a run in one column, with what waits for a person set apart from its own time. */
import type { ThreadItemLive } from '@countersign/contract'
import { classes, Safe } from '../kit/index.ts'

export function Steps({ items }: { items: readonly ThreadItemLive[] }) {
  return (
    <ol className="space-y-1.5">
      {items.map((item) => (
        <li key={item.seq} className="grid grid-cols-[3rem_0.75rem_1fr] items-baseline gap-2 text-small">
          <time dateTime={item.at} className="text-ink-3">
            {new Date(item.at).toLocaleTimeString(undefined, {
              hour: '2-digit',
              minute: '2-digit',
              hour12: false,
            })}
          </time>
          <span
            aria-hidden
            className={classes(
              'size-2 rounded-full',
              waits(item) ? 'hatched border border-t2' : wentWrong(item) ? 'bg-bad' : 'bg-ok',
            )}
          />
          <span className="min-w-0">
            <Safe text={wordsOf(item)} />
          </span>
        </li>
      ))}
    </ol>
  )
}

export function wordsOf(item: ThreadItemLive): string {
  switch (item.kind) {
    case 'message':
      return 'Message from you'
    case 'reply':
      return item.calls === 0
        ? 'Reply'
        : `Proposed ${String(item.calls)} ${item.calls === 1 ? 'call' : 'calls'}`
    case 'cell':
      return item.outcome === null ? `${item.tool} began` : `${item.tool}: ${item.outcome}`
    case 'approval':
      return item.state === 'pending'
        ? `Waiting for you, ${item.code}`
        : `${item.code} ${item.state} by ${item.by ?? 'somebody'}`
    case 'question':
      return item.answer === null ? 'A question for you' : 'You answered'
    case 'mark':
      return item.mark === 'parked'
        ? 'Waits, not counted'
        : item.mark === 'resumed'
          ? 'Goes on'
          : `Ended: ${item.reason ?? ''}`
  }
}

function waits(item: ThreadItemLive): boolean {
  return (
    (item.kind === 'approval' && item.state === 'pending') ||
    (item.kind === 'question' && item.answer === null) ||
    (item.kind === 'mark' && item.mark === 'parked')
  )
}

function wentWrong(item: ThreadItemLive): boolean {
  if (item.kind === 'cell') return item.outcome !== null && item.outcome !== 'ok'
  return item.kind === 'mark' && item.mark === 'ended' && item.reason !== 'completed'
}
