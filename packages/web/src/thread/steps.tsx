/** The events of a run in one column, with what waits for a person set apart from its own time. */

import type { ThreadItemLive } from '@countersign/contract'
import { classes, Safe } from '../kit/index.ts'
import { locale } from '../language/current.ts'
import { words } from '../words/chat.tsx'
import { words as common } from '../words/common.ts'

export function Steps({ items, most = 5 }: { items: readonly ThreadItemLive[]; most?: number }) {
  const steps = stepsOf(items)
  return (
    <ol className="space-y-1.5">
      {steps.slice(-most).map((item) => (
        <li key={item.seq} className="grid grid-cols-[3rem_0.75rem_1fr] items-baseline gap-2 text-small">
          <time dateTime={momentOf(item)} className="text-ink-3">
            {new Date(momentOf(item)).toLocaleTimeString(locale(), {
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
            <Safe text={stepWords(item)} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** In the order in which they happened as they are told: a call is told by its end, and an approval came before it. */
export function stepsOf(items: readonly ThreadItemLive[]): readonly ThreadItemLive[] {
  return items
    .filter((item) => item.kind !== 'mark' || item.mark === 'ended')
    .toSorted((a, b) => compare(momentOf(a), momentOf(b)) || a.seq - b.seq)
}

function momentOf(item: ThreadItemLive): string {
  return item.kind === 'cell' ? (item.endedAt ?? item.at) : item.at
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function stepWords(item: ThreadItemLive): string {
  switch (item.kind) {
    case 'message':
      return words.steps.message
    case 'reply':
      return item.calls === 0 ? words.steps.reply : words.steps.proposed(item.calls)
    case 'cell':
      if (item.outcome === null) return words.steps.began(item.headline)
      if (item.outcome === 'ok') return item.summary === '' ? item.headline : item.summary
      return words.steps.outcome(item.headline, words.steps.outcomes[item.outcome])
    case 'approval':
      return item.state === 'pending'
        ? words.steps.waiting(item.code)
        : words.steps.decided(item.code, common.decidedBy[item.state](item.by ?? words.steps.somebody))
    case 'question':
      return item.answer === null ? words.steps.question : words.steps.answered
    case 'mark':
      return item.mark === 'parked'
        ? words.steps.parked
        : item.mark === 'resumed'
          ? words.steps.resumed
          : words.steps.ended(item.reason ?? '')
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
