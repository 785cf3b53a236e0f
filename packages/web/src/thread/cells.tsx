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
import { useRun } from '../environment/queries.ts'
import { useLive } from '../environment/services.tsx'
import { ButtonLink, CopyButton, classes, Facts, Link, Loaded, Mono, Safe, TierChip } from '../kit/index.ts'
import { lengthWords } from '../language/format.ts'
import { words } from '../words/chat.tsx'
import { type Cell, type CellRow, type CellState, stateOf } from './entries.ts'

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

export function Cells({ rows }: { rows: readonly CellRow[] }) {
  return (
    <ul className="overflow-hidden rounded-2 border border-line bg-sheet" aria-label={words.cells.list}>
      {rows.map((row) => (
        <li key={row.key} className="border-t border-line first:border-t-0">
          {row.cells.length === 1 ? <OneCell cell={row.cells[0] as Cell} /> : <ManyCells cells={row.cells} />}
        </li>
      ))}
    </ul>
  )
}

function ManyCells({ cells }: { cells: readonly Cell[] }) {
  const [open, setOpen] = useState(false)
  const first = cells[0] as Cell
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="target flex w-full items-center gap-3 px-3.5 py-2 text-start hover:bg-ink/3"
      >
        <Glyph state="ok" />
        <code className="shrink-0">
          {first.item.tool} ×{cells.length}
        </code>
        <span className="min-w-0 flex-1 truncate">
          <Safe text={first.item.headline} /> {words.cells.more(cells.length - 1)}
        </span>
        <Length cells={cells} />
      </button>
      {open ? (
        <ul className="border-t border-line ps-6">
          {cells.map((cell) => (
            <li key={cell.item.call} className="border-t border-line first:border-t-0">
              <OneCell cell={cell} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function OneCell({ cell }: { cell: Cell }) {
  const [open, setOpen] = useState(false)
  const { item, approval } = cell
  const state = stateOf(cell)
  const pending: ApprovalView | undefined = useLive((live) =>
    approval === null ? undefined : live.state.approvals[approval.approval],
  )
  return (
    <div className={classes(state === 'waiting' && 'bg-t2-soft/60')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2 hover:bg-ink/3">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="target flex min-w-0 flex-1 items-center gap-3 text-start"
        >
          <Glyph state={state} />
          <code className="shrink-0">{item.tool}</code>
          <span className="min-w-0 flex-1 truncate">
            <Safe text={saidOf(item)} />
          </span>
        </button>
        {item.decision !== null && item.decision.tier >= 2 ? <TierChip tier={item.decision.tier} /> : null}
        {pending ? (
          <ButtonLink to={`/approvals/${pending.code}`} variant="plain">
            {words.thread.review(pending.code)}
          </ButtonLink>
        ) : (
          <Length cells={[cell]} />
        )}
      </div>
      {open ? <CellDetail run={item.run} cell={cell} /> : null}
    </div>
  )
}

/** A summary that begins with the headline says it already. */
function saidOf({ outcome, headline, summary }: Cell['item']): string {
  if (outcome === null || summary === '') return headline
  return summary.startsWith(headline) ? summary : `${headline}: ${summary}`
}

function CellDetail({ run, cell }: { run: RunId; cell: Cell }) {
  const detail = useRun(run)
  return (
    <div className="border-t border-line bg-well/50 px-3.5 py-3">
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
                {words.cells.decisions[decision.kind]}: <Safe text={decision.reason} />
                {rule === undefined ? null : (
                  <>
                    {' '}
                    <Mono text={`${rule.file}:${String(rule.line)}`} />
                  </>
                )}
              </span>
            ),
          ],
          [words.cells.undo, call.undoable ? words.cells.undoable : null],
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
