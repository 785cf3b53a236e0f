/**
 * Owns calls that need other calls: a batch, whose result is theirs together, and a tool that asked for calls and is
 * run again with their results. Bounded in depth and number, since the one who asks may be a program of a model's.
 */
import {
  canonicalText,
  changesTaker,
  type JsonObject,
  type Label,
  mailSender,
  type ToolCatalogue,
  type ToolResult,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { sql } from 'kysely'
import { type HeldRun, lockHeld, updateHeld } from '../store/run-row.ts'
import { type Unit } from '../store/store.ts'
import { type CallLimits, countCalls, limitProgramCalls } from './call-limits.ts'
import { type CallRow, callsOfTurn, type EndedCall, insertCalls, writeEndedCalls } from './call-rows.ts'
import { canonicalizeOwn } from './canonicalize.ts'
import { originLabels, proposalRows } from './record-proposals.ts'

const deepest = 3
const fileWriter = 'write_file'
/** What a program is told of an answer; the whole of it is in the ledger and the transcript. */
const longestAnswer = 32_000

export interface ChildCallPorts {
  readonly uuid: () => string
  readonly catalogue: ToolCatalogue
  readonly limits: CallLimits
}

/**
 * Lets the calls that a tool asked for be authorized before it goes on, and tells what the tools it called were made from.
 * A reason means that they cannot be made.
 */
export async function proposeChildCalls(
  unit: Unit,
  run: HeldRun,
  row: CallRow,
  calls: NonNullable<ToolResult['calls']>,
  ports: ChildCallPorts,
): Promise<{ reason: string } | { labels: readonly Label[] }> {
  return propose(unit, run, row, calls, ports)
}

/**
 * The call that the product makes after a tool, which is done and waits only for the result of it. It takes over what a
 * program changed, writes what a tool made for a file, or sends the answer to an e-mail, the last two as a model would
 * have it done; nothing that a tool could say leads to another hidden tool.
 */
export async function proposeNextCall(
  unit: Unit,
  run: HeldRun,
  row: CallRow,
  call: NonNullable<ToolResult['next']>,
  ports: ChildCallPorts,
): Promise<{ reason: string } | { labels: readonly Label[] }> {
  if (call.tool === changesTaker) return propose(unit, run, row, [call], ports, 'product')
  if (call.tool === fileWriter || call.tool === mailSender) return propose(unit, run, row, [call], ports)
  return { reason: `${call.tool} is not for a tool to ask for.` }
}

async function propose(
  unit: Unit,
  run: HeldRun,
  row: CallRow,
  calls: NonNullable<ToolResult['calls']>,
  ports: ChildCallPorts,
  by?: 'product',
): Promise<{ reason: string } | { labels: readonly Label[] }> {
  const known = await callsOfTurn(unit.db, run.id, row.turn)
  if (depthOf(row, known) >= deepest) return { reason: 'Its calls are nested too deeply.' }
  const first = Math.max(...known.map((each) => each.position)) + 1
  const proposals = proposalRows(
    calls.map((call) => ({ ...call, modelId: row.model_id })),
    ports.catalogue,
    { uuid: ports.uuid, first, parent: row, ...(by ? { by } : {}) },
  )
  const madeInRun = (await lockHeld(unit, run)).tool_calls
  const limited = limitProgramCalls(proposals, ports.limits, countCalls(known), madeInRun)
  if ('reason' in limited) return limited
  await unit.db.updateTable('calls').set({ state: 'waiting' }).where('id', '=', row.id).execute()
  await insertCalls(unit, run, row.turn, limited.calls)
  await updateHeld(unit, run, { tool_calls: sql`tool_calls + ${limited.made}` })
  return { labels: originLabels(proposals) }
}

/** The calls whose children have all ended, in the order in which they can go on: the innermost first. */
export function completedParents(rows: readonly CallRow[]): CallRow[] {
  return rows.filter(
    (row) =>
      row.state === 'waiting' &&
      row.reader === null &&
      rows.every((each) => each.parent_id !== row.id || each.state === 'ended'),
  )
}

/** Brings a call on whose children have ended: a batch ends with their results, a program is proposed again. */
export async function continueParent(
  unit: Unit,
  parent: CallRow,
  rows: readonly CallRow[],
  catalogue: ToolCatalogue,
): Promise<EndedCall | undefined> {
  const children = rows.filter((row) => row.parent_id === parent.id)
  if (parent.outcome !== null) {
    const ended = withNext(parent, children)
    await writeEndedCalls(unit, [ended])
    return ended
  }
  const again = parent.args === '' ? undefined : withAnswers(parent, children, catalogue)
  if (again?.kind === 'canonical') {
    await unit.db
      .updateTable('calls')
      .set((set) => ({
        state: 'proposed',
        args: again.call.args,
        attempt: set('attempt', '+', 1),
        nonce: null,
        permit: null,
        approval_id: null,
        intended_at: null,
      }))
      .where('id', '=', parent.id)
      .execute()
    return undefined
  }
  const ended = again ? endedParent(parent, 'failed', again.reason) : batchResult(parent, children)
  await writeEndedCalls(unit, [ended])
  return ended
}

/** The same call with the answers that it asked for, each bound to the question. */
function withAnswers(parent: CallRow, children: readonly CallRow[], catalogue: ToolCatalogue) {
  const args = JSON.parse(parent.args) as JsonObject
  const journal = Array.isArray(args['journal']) ? args['journal'] : []
  // Earlier steps of the same program have children too; only those after the journal's end are new.
  const answers = children.slice(journal.length).map((child) => ({
    call: sha256Hex(`${child.model_tool}\n${child.raw_args}`),
    ok: child.outcome === 'ok',
    text: child.result_text.slice(0, longestAnswer).toWellFormed(),
  }))
  const made = args['name']
  if (typeof made === 'string' && !catalogue.find(made))
    return { kind: 'invalid' as const, tool: parent.tool, reason: catalogue.missing(made) }
  const grown = canonicalText({ ...args, journal: [...journal, ...answers] })
  return canonicalizeOwn({ tool: parent.tool, args: grown }, catalogue)
}

/** The end of a tool that was done, with what came of the call after it. */
function withNext(parent: CallRow, children: readonly CallRow[]): EndedCall {
  const next = children.at(-1)
  const fate =
    next?.outcome === 'ok'
      ? next.result_text
      : `${next?.tool === mailSender ? 'It was not sent' : 'Nothing that it changed was kept'}: ${next?.result_text ?? 'it was not decided'}`
  const { outcome, undo, output_label: label } = parent
  return {
    ...endedParent(
      parent,
      outcome === 'ok' && next?.outcome === 'ok' ? 'ok' : 'failed',
      `${parent.result_text}\n[${fate}]`,
    ),
    summary: next?.outcome === 'ok' ? parent.summary : fate,
    undo,
    label,
  }
}

function batchResult(parent: CallRow, children: readonly CallRow[]): EndedCall {
  const good = children.filter((child) => child.outcome === 'ok').length
  const text = children
    .map((child, index) => `[${index + 1}] ${child.model_tool}: ${child.outcome}\n${child.result_text}`)
    .join('\n\n')
  return {
    ...endedParent(parent, good > 0 ? 'ok' : 'failed', text),
    summary: `${good} of ${children.length} calls succeeded`,
  }
}

/** What is told of a call whose children will not all be made: which were, so that none of them is made again. */
export function interruptedText(parent: CallRow, rows: readonly CallRow[], words: string): string {
  const children = rows.filter((row) => row.parent_id === parent.id)
  if (parent.outcome !== null) {
    const isInDoubt = children.some((child) => child.outcome === 'unknown')
    const fate = isInDoubt
      ? 'Whether what it changed was kept is unknown.'
      : 'Nothing that it changed was kept.'
    return `${parent.result_text}\n[${fate} The operator said instead: ${words}]`
  }
  const told = children.map((child) => `${child.model_tool}: ${child.outcome ?? 'not made'}`)
  return [`The operator said instead: ${words}`, 'What it had asked for:', ...told].join('\n')
}

function endedParent(row: CallRow, outcome: 'ok' | 'failed', text: string): EndedCall {
  return {
    id: row.id,
    state: 'ended',
    outcome,
    text,
    summary: text,
    startedAt: null,
    undo: null,
    label: null,
  }
}

function depthOf(row: CallRow, rows: readonly CallRow[]): number {
  const parent = rows.find((each) => each.id === row.parent_id)
  return parent ? depthOf(parent, rows) + 1 : 0
}
