/** Owns the order of what happened in a run: each event is a line at its own time, also what an item learnt later. Pure. */
import type { ThreadItemLive } from '@countersign/contract'

export interface Step {
  readonly seq: number
  readonly at: string
  readonly item: ThreadItemLive
  /** The line is about how the item began, and not about what became of it. */
  readonly isBegin: boolean
}

export function stepsOf(items: readonly ThreadItemLive[]): readonly Step[] {
  return items.flatMap(linesOf).toSorted((one, other) => one.seq - other.seq)
}

function linesOf(item: ThreadItemLive): Step[] {
  const begin: Step = { seq: item.seq, at: item.at, item, isBegin: true }
  const end = endOf(item)
  if (end === null) return [begin]
  const line: Step = { ...end, item, isBegin: false }
  // A call is told once, when it is known what became of it; a request is told when it was made, too.
  return item.kind === 'cell' ? [line] : [begin, line]
}

function endOf(item: ThreadItemLive): { readonly seq: number; readonly at: string } | null {
  switch (item.kind) {
    case 'cell':
      return at(item.endedSeq, item.endedAt)
    case 'approval':
      return at(item.decidedSeq, item.decidedAt)
    case 'question':
      return at(item.answeredSeq, item.answeredAt)
    default:
      return null
  }
}

function at(seq: number | null, time: string | null): { readonly seq: number; readonly at: string } | null {
  return seq === null || time === null ? null : { seq, at: time }
}
