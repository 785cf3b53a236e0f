/** The events of a run in one column, in the order in which they happened. */

import type { MarkItem, QuestionItem, ThreadItemLive } from '@countersign/contract'
import { classes, Safe } from '../kit/index.ts'
import { locale } from '../language/current.ts'
import { words } from '../words/chat.tsx'
import { words as common } from '../words/common.ts'
import { words as retrying } from '../words/retrying.ts'
import { type Step, stepsOf } from './step-order.ts'

export function Steps({ items, most = 5 }: { items: readonly ThreadItemLive[]; most?: number }) {
  const steps = stepsOf(items.filter(isWorthTelling))
  return (
    <ol className="space-y-1.5">
      {steps.slice(-most).map((step) => (
        <li key={step.seq} className="grid grid-cols-[3rem_0.75rem_1fr] items-baseline gap-2 text-small">
          <time dateTime={step.at} className="text-ink-3">
            {new Date(step.at).toLocaleTimeString(locale(), {
              hour: '2-digit',
              minute: '2-digit',
              hour12: false,
            })}
          </time>
          <span
            aria-hidden
            className={classes(
              'size-2 rounded-full',
              waits(step) ? 'hatched border border-t2' : wentWrong(step) ? 'bg-bad' : 'bg-ok',
            )}
          />
          <span className="min-w-0">
            <Safe text={stepWords(step)} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** That it stood still and went on is to be seen from the lines around. */
function isWorthTelling(item: ThreadItemLive): boolean {
  return item.kind !== 'mark' || item.mark === 'ended' || item.mark === 'retrying'
}

export function stepWords({ item, isBegin }: Step): string {
  switch (item.kind) {
    case 'message':
      return words.steps.message
    case 'reply':
      if (item.calls > 0) return words.steps.proposed(item.calls)
      return item.text.trim() === '' ? retrying.empty : words.steps.reply
    case 'cell':
      if (item.outcome === null) return words.steps.began(item.headline)
      if (item.outcome === 'ok') return item.summary === '' ? item.headline : item.summary
      return words.steps.outcome(item.headline, words.steps.outcomes[item.outcome])
    case 'approval':
      if (isBegin)
        return item.state === 'pending' ? words.steps.waiting(item.code) : retrying.asked(item.code)
      return words.steps.decided(item.code, common.decidedBy[item.state](item.by ?? words.steps.somebody))
    case 'question':
      return isBegin ? questionWords(item) : answeredWords(item)
    case 'mark':
      return markWords(item)
  }
}

function questionWords({ server }: QuestionItem): string {
  return server === undefined ? words.steps.question : words.steps.serverQuestion(server)
}

function answeredWords({ how }: QuestionItem): string {
  return how === undefined ? words.steps.answered : words.steps.serverEnds[how]
}

function markWords({ mark, on, reason, text }: MarkItem): string {
  switch (mark) {
    case 'parked':
      return on === 'retry' ? retrying.waits : words.steps.parked
    case 'retrying':
      return retrying.step(text)
    case 'resumed':
      return words.steps.resumed
    case 'ended':
      return words.steps.ended(reason ?? '')
  }
}

function waits({ item, isBegin }: Step): boolean {
  return (
    (item.kind === 'approval' && isBegin) ||
    (item.kind === 'question' && isBegin) ||
    (item.kind === 'mark' && item.mark === 'parked')
  )
}

function wentWrong({ item }: Step): boolean {
  if (item.kind === 'cell') return item.outcome !== null && item.outcome !== 'ok'
  if (item.kind !== 'mark') return false
  return item.mark === 'retrying' || (item.mark === 'ended' && item.reason !== 'completed')
}
