/** Draws the live list: one row a card, or one card whole, and the keys below. */
import { turnWords } from '@countersign/contract'
import { type CardStyle, fullCard } from '../card.ts'
import { approvalRow } from '../commands/approval.ts'
import { columns, widthOf } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { type CardHeight, chosen, type WatchState } from './state.ts'

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** Lines above and below what is shown. */
const frameLines = 4

export function renderWatch(state: WatchState, style: CardStyle, size: TerminalSize): string {
  const card = state.open === null ? undefined : cardLines(state, style, size)
  const body =
    card === undefined
      ? list(state, style)
      : card.slice(state.open?.scroll ?? 0, (state.open?.scroll ?? 0) + heightOf(size))
  const behind = turnWords(Object.values(state.behind).reduce((sum, calls) => sum + calls, 0))
  const title = `Approvals  ${state.approvals.length} pending${behind === null ? '' : `, ${behind}`}`
  const more =
    card !== undefined && card.length > heightOf(size)
      ? `  line ${(state.open?.scroll ?? 0) + 1} of ${card.length}`
      : ''
  const keys =
    state.denying !== null
      ? `Reason (Enter denies, Esc cancels)  ${line(state.denying)}`
      : state.open === null
        ? 'j/k move  o open  a approve…  d deny…  q quit'
        : 'j/k scroll  a approve  d deny…  q back'
  return [
    style.paint('strong', title) + more,
    '',
    ...body,
    '',
    state.message === '' ? keys : `${line(state.message)}  ${keys}`,
  ].join('\n')
}

/** The room for the card that is open, or that would be opened next. */
export function cardHeightFor(state: WatchState, style: CardStyle, size: TerminalSize): CardHeight {
  return { lines: cardLines(state, style, size).length, height: heightOf(size) }
}

function cardLines(state: WatchState, style: CardStyle, size: TerminalSize): string[] {
  const approval = chosen(state)
  if (approval === undefined) return []
  return fullCard(approval, style)
    .split('\n')
    .flatMap((each) => wrapped(each, size.columns))
}

/** Breaks at the edge of the terminal, so that every row is counted; nothing is dropped. */
function wrapped(text: string, width: number): string[] {
  const rows = ['']
  let used = 0
  for (const piece of text.split(colours)) {
    if (piece.startsWith('\u001b')) {
      rows.push(`${rows.pop()}${piece}`)
      continue
    }
    for (const character of piece) {
      const cells = widthOf(character)
      if (used + cells > width) {
        rows.push('')
        used = 0
      }
      rows.push(`${rows.pop()}${character}`)
      used += cells
    }
  }
  return rows
}

const colours = new RegExp(`(${String.fromCharCode(27)}\\[[0-9;]*m)`)

function list(state: WatchState, style: CardStyle): string[] {
  if (state.approvals.length === 0) return ['Nothing needs you.']
  const rows = state.approvals.map((approval, at) => [
    at === state.at ? '›' : ' ',
    ...approvalRow(approval, { paint: style.paint, moment: () => style.moment }),
  ])
  return columns(rows).split('\n')
}

function heightOf(size: TerminalSize): number {
  return Math.max(1, size.rows - frameLines)
}
