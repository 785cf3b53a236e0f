/** Owns how the items of a conversation are read: calls gathered under what was said, repeats folded into one row. Pure. */
import {
  type ApprovalItem,
  type CallId,
  type CellItem,
  type MarkItem,
  type MessageItem,
  type QuestionItem,
  type ReplyItem,
  readUndoNote,
  type ThreadItemLive,
} from '@countersign/contract'

export interface Cell {
  readonly item: CellItem
  /** The request for it, if it was asked about. */
  readonly approval: ApprovalItem | null
  /** The operator took it back, and that went well. */
  readonly undone: boolean
}

/** One line: a call, or several of the same tool that all went well. */
export interface CellRow {
  readonly key: string
  readonly cells: readonly Cell[]
}

export type ThreadEntry =
  | { readonly kind: 'message'; readonly item: MessageItem }
  /** The operator took something back; what was done for it follows. */
  | { readonly kind: 'undo'; readonly item: MessageItem; readonly calls: number }
  | { readonly kind: 'reply'; readonly item: ReplyItem }
  | { readonly kind: 'activity'; readonly key: string; readonly rows: readonly CellRow[] }
  | { readonly kind: 'question'; readonly item: QuestionItem }
  /** A request whose call is not among the items. */
  | { readonly kind: 'approval'; readonly item: ApprovalItem }
  | { readonly kind: 'end'; readonly item: MarkItem }
  /** A last reply without a word. */
  | { readonly kind: 'empty'; readonly item: ReplyItem }

export type CellState = 'running' | 'waiting' | 'ok' | 'failed' | 'denied' | 'unknown'

const fewestFolded = 3

export function entriesOf(items: readonly ThreadItemLive[]): readonly ThreadEntry[] {
  const approvals = new Map(
    items.filter((item): item is ApprovalItem => item.kind === 'approval').map((item) => [item.call, item]),
  )
  const undone = undoneIn(items)
  const shown = new Set(items.flatMap((item) => (item.kind === 'cell' ? [item.call] : [])))
  const entries: ThreadEntry[] = []
  let gathered: Cell[] = []
  const flush = () => {
    const [first] = gathered
    if (first) entries.push({ kind: 'activity', key: first.item.call, rows: folded(gathered) })
    gathered = []
  }
  for (const item of items) {
    if (item.kind === 'cell') {
      const approval = approvals.get(item.call) ?? null
      gathered.push({ item, approval, undone: undone.has(item.call) })
      continue
    }
    if (item.kind === 'approval' && shown.has(item.call)) continue
    if (item.kind === 'mark' && !isTold(item)) continue
    if (item.kind === 'reply' && item.text === '' && item.calls > 0) continue
    flush()
    if (item.kind === 'reply' && item.text === '') {
      entries.push({ kind: 'empty', item })
      continue
    }
    const note = item.kind === 'message' ? readUndoNote(item.text) : null
    if (item.kind === 'mark') entries.push({ kind: 'end', item })
    else if (item.kind === 'message' && note !== null)
      entries.push({ kind: 'undo', item, calls: note.calls.length })
    else entries.push({ kind: item.kind, item } as ThreadEntry)
  }
  flush()
  return entries
}

export function stateOf({ item, approval }: Cell): CellState {
  if (item.outcome === null) return approval?.state === 'pending' ? 'waiting' : 'running'
  if (item.outcome === 'ok') return 'ok'
  if (item.outcome === 'denied' || item.outcome === 'withdrawn' || item.outcome === 'held') return 'denied'
  return item.outcome === 'unknown' ? 'unknown' : 'failed'
}

/** The calls that were taken back: an undo makes one call for each, in the order of its note. */
export function undoneIn(items: readonly ThreadItemLive[]): ReadonlySet<CallId> {
  const undone = new Set<CallId>()
  for (const message of items) {
    const note = message.kind === 'message' ? readUndoNote(message.text) : null
    if (note === null || message.run === null) continue
    const made = items.filter((item): item is CellItem => item.kind === 'cell' && item.run === message.run)
    for (const [place, call] of note.calls.entries()) if (made[place]?.outcome === 'ok') undone.add(call)
  }
  return undone
}

/** An end is told unless it is the ordinary one. */
function isTold(item: MarkItem): boolean {
  return item.mark === 'ended' && item.reason !== 'completed'
}

function folded(cells: readonly Cell[]): CellRow[] {
  const rows: CellRow[] = []
  for (let at = 0; at < cells.length; ) {
    const first = cells[at] as Cell
    let end = at + 1
    if (stateOf(first) === 'ok') while (end < cells.length && isSame(first, cells[end] as Cell)) end += 1
    const many = end - at >= fewestFolded ? end - at : 1
    rows.push({ key: first.item.call, cells: cells.slice(at, at + many) })
    at += many
  }
  return rows
}

function isSame(first: Cell, other: Cell): boolean {
  return (
    other.item.tool === first.item.tool &&
    stateOf(other) === 'ok' &&
    other.approval === null &&
    other.undone === first.undone
  )
}
