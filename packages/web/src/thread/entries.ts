/** Owns how the items of a conversation are read: calls gathered under what was said, repeats folded into one row. Pure. */
import type {
  ApprovalItem,
  CellItem,
  MarkItem,
  MessageItem,
  QuestionItem,
  ReplyItem,
  ThreadItemLive,
} from '@countersign/contract'

export interface Cell {
  readonly item: CellItem
  /** The request for it, if it was asked about. */
  readonly approval: ApprovalItem | null
}

/** One line: a call, or several of the same tool that all went well. */
export interface CellRow {
  readonly key: string
  readonly cells: readonly Cell[]
}

export type ThreadEntry =
  | { readonly kind: 'message'; readonly item: MessageItem }
  | { readonly kind: 'reply'; readonly item: ReplyItem }
  | { readonly kind: 'activity'; readonly key: string; readonly rows: readonly CellRow[] }
  | { readonly kind: 'question'; readonly item: QuestionItem }
  /** A request whose call is not among the items. */
  | { readonly kind: 'approval'; readonly item: ApprovalItem }
  | { readonly kind: 'end'; readonly item: MarkItem }

export type CellState = 'running' | 'waiting' | 'ok' | 'failed' | 'denied' | 'unknown'

const fewestFolded = 3

export function entriesOf(items: readonly ThreadItemLive[]): readonly ThreadEntry[] {
  const approvals = new Map(
    items.filter((item): item is ApprovalItem => item.kind === 'approval').map((item) => [item.call, item]),
  )
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
      gathered.push({ item, approval: approvals.get(item.call) ?? null })
      continue
    }
    if (item.kind === 'approval' && shown.has(item.call)) continue
    if (item.kind === 'mark' && !isTold(item)) continue
    if (item.kind === 'reply' && item.text === '') continue
    flush()
    if (item.kind === 'mark') entries.push({ kind: 'end', item })
    else entries.push({ kind: item.kind, item } as ThreadEntry)
  }
  flush()
  return entries
}

export function stateOf({ item, approval }: Cell): CellState {
  if (item.outcome === null) return approval?.state === 'pending' ? 'waiting' : 'running'
  if (item.outcome === 'ok') return 'ok'
  if (item.outcome === 'denied' || item.outcome === 'withdrawn') return 'denied'
  return item.outcome === 'unknown' ? 'unknown' : 'failed'
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
  return other.item.tool === first.item.tool && stateOf(other) === 'ok' && other.approval === null
}
