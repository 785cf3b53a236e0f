/** Shows what was done: one line for a call, everything about it when it is opened. */

import type { ApprovalView, CallView, RunId } from '@countersign/contract'
import {
  Check,
  CircleAlert,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  Hourglass,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { InlineDecision } from '../deciding/inline-decision.tsx'
import { useRun } from '../environment/queries.ts'
import { useLive } from '../environment/services.tsx'
import { CopyButton, classes, Facts, Link, Loaded, Mono, Safe, TierChip } from '../kit/index.ts'
import { lengthWords } from '../language/format.ts'
import { words } from '../words/chat.tsx'
import { type Cell, type CellRow, type CellState, stateOf } from './entries.ts'
import { Undoing } from './undoing.tsx'

const glyphs: Readonly<Record<CellState, LucideIcon>> = {
  running: CircleDashed,
  waiting: Hourglass,
  ok: Check,
  failed: CircleAlert,
  denied: CircleSlash,
  unknown: CircleHelp,
}

const inks: Readonly<Record<CellState, string>> = {
  running: 'text-ink-3',
  waiting: 'text-t2',
  ok: 'text-ok',
  failed: 'text-bad',
  denied: 'text-ink-3',
  unknown: 'text-t3',
}

export function Cells({ rows, readOnly = false }: { rows: readonly CellRow[]; readOnly?: boolean }) {
  return (
    <ul className="space-y-0.5" aria-label={words.cells.list}>
      {rows.map((row) => (
        <li key={row.key}>
          {row.cells.length === 1 ? (
            <OneCell cell={row.cells[0] as Cell} readOnly={readOnly} />
          ) : (
            <ManyCells cells={row.cells} readOnly={readOnly} />
          )}
        </li>
      ))}
    </ul>
  )
}

const opener =
  'target -mx-2 flex min-w-0 items-center gap-2.5 rounded-1 px-2 py-0.5 text-start text-ink-2 hover:bg-ink/4'

function ManyCells({ cells, readOnly }: { cells: readonly Cell[]; readOnly: boolean }) {
  const [open, setOpen] = useState(false)
  const first = cells[0] as Cell
  return (
    <>
      <div className="flex items-center gap-2">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className={opener}>
          <Glyph state="ok" />
          <span className="min-w-0 truncate">
            <Safe text={saidOf(first)} /> {words.cells.more(cells.length - 1)}
          </span>
          <Length cells={cells} />
        </button>
        <Undoing cells={cells} readOnly={readOnly} />
      </div>
      {open ? (
        <ul className="ms-2 border-s border-line ps-4">
          {cells.map((cell) => (
            <li key={cell.item.call}>
              <OneCell cell={cell} readOnly={readOnly} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function OneCell({ cell, readOnly }: { cell: Cell; readOnly: boolean }) {
  const [open, setOpen] = useState(false)
  const { item, approval } = cell
  const state = stateOf(cell)
  const pending: ApprovalView | undefined = useLive((live) =>
    approval === null ? undefined : live.state.approvals[approval.approval],
  )
  if (pending !== undefined && !readOnly) return <InlineDecision approval={pending} />
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 md:flex-nowrap">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className={opener}>
          <Glyph state={state} />
          <span className={classes('min-w-0 truncate', cell.undone && 'line-through decoration-ink-3')}>
            <Safe text={saidOf(cell)} />
          </span>
          <Length cells={[cell]} />
        </button>
        {item.decision !== null && item.decision.tier >= 3 ? <TierChip tier={item.decision.tier} /> : null}
        <Undoing cells={[cell]} readOnly={readOnly} />
      </div>
      {open ? <CellDetail run={item.run} cell={cell} /> : null}
    </>
  )
}

/** What came of it, where it went well; what it was to be otherwise, with what went wrong. */
function saidOf({ item: { outcome, headline, summary } }: Cell): string {
  if (outcome === null || summary === '') return headline
  if (outcome === 'ok') return summary
  return summary.startsWith(headline) ? summary : `${headline}: ${summary}`
}

function CellDetail({ run, cell }: { run: RunId; cell: Cell }) {
  const detail = useRun(run)
  return (
    <div className="mt-1 mb-2 rounded-2 border border-line bg-well/50 px-3.5 py-3">
      <Loaded query={detail}>
        {({ calls }) => {
          const call = calls.find(({ id }) => id === cell.item.call)
          return call === undefined ? (
            <p className="text-ink-2">{words.cells.nothing}</p>
          ) : (
            <CallFacts call={call} />
          )
        }}
      </Loaded>
    </div>
  )
}

export function CallFacts({ call }: { call: CallView }) {
  const { decision } = call
  const rule = decision?.rules[0]
  return (
    <>
      <Facts
        rows={[
          [words.cells.input, <Mono key="input" block text={call.args} foldAfter={2_000} />],
          [
            words.cells.output,
            call.result === '' ? null : <Mono key="output" block text={call.result} foldAfter={2_000} />,
          ],
          [
            words.cells.policy,
            decision === null ? null : (
              <span key="policy">
                {words.cells.decisions[decision.kind]}:{' '}
                <Safe text={decision.reason.replace(/^(?:Allowed|Denied): /, '')} />
                {rule === undefined ? null : (
                  <>
                    {' '}
                    <Mono text={`${rule.file}:${String(rule.line)}`} />
                  </>
                )}
              </span>
            ),
          ],
          [words.cells.tool, <Mono key="tool" text={call.tool} />],
        ]}
      />
      <div className="mt-2 flex flex-wrap items-center gap-3 text-small">
        <Link to={`/ledger?q=${encodeURIComponent(`call:${call.id}`)}`}>{words.cells.ledger}</Link>
        <CopyButton
          text={`countersign tool try ${call.tool} --args '${call.args.replaceAll("'", "'\\''")}'`}
          label={words.cells.copyCommand}
        />
        <CopyButton text={`countersign why ${call.id}`} label={words.cells.copyWhy} />
      </div>
    </>
  )
}

function Glyph({ state }: { state: CellState }) {
  const Icon = glyphs[state]
  return (
    <>
      <Icon size={16} strokeWidth={2} aria-hidden className={classes('shrink-0', inks[state])} />
      <span className="sr-only">{words.cells.states[state]},</span>
    </>
  )
}

function Length({ cells }: { cells: readonly Cell[] }) {
  const first = cells[0]?.item
  const last = cells.at(-1)?.item
  if (!first || last?.endedAt == null) return null
  const ms = Date.parse(last.endedAt) - Date.parse(first.at)
  return <span className="shrink-0 text-small text-ink-3">{lengthWords(Math.max(0, ms))}</span>
}
