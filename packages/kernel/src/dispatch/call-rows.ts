/** Owns the rows of calls: proposed, asked or intended, ended. Writes them in batches, one statement each. */
import type {
  ApprovalId,
  CallId,
  CallOutcome,
  CallView,
  Decision,
  Label,
  Origin,
  Permit,
  PictureFile,
  Requester,
  RunId,
  ToolResult,
} from '@countersign/contract'
import { type Selectable, sql } from 'kysely'
import { type HeldRun, hasWords, heldBy, type RunRow, type SeenControls } from '../store/run-row.ts'
import type { SettingsState } from '../store/settings-state.ts'
import { type Db, json, storable, type Unit } from '../store/store.ts'
import type { JudgedCall, Tables } from '../store/tables.ts'

export type CallRow = Selectable<Tables['calls']>

export interface NewCall {
  readonly id: CallId
  readonly position: number
  readonly modelId: string
  readonly modelTool: string
  readonly rawArgs: string
  readonly tool: string
  readonly args: string
  readonly headline: string
  readonly state: 'proposed' | 'waiting' | 'ended'
  /** Why the call cannot even be proposed; it has then already ended. */
  readonly invalid: string | null
  readonly parent: CallId | null
  readonly requester: Requester | null
  /** What made the tool; not stored, since the run takes its label over at once. */
  readonly origin: Origin | null
}

/** A statement takes some 65,000 values, and a flood of calls several statements. */
const mostInserted = 1_000

export async function insertCalls(
  unit: Unit,
  run: HeldRun,
  turn: number,
  calls: readonly NewCall[],
): Promise<CallRow[]> {
  if (calls.length > mostInserted) {
    const first = await insertCalls(unit, run, turn, calls.slice(0, mostInserted))
    return [...first, ...(await insertCalls(unit, run, turn, calls.slice(mostInserted)))]
  }
  if (calls.length === 0) return []
  const rows = await unit.db
    .insertInto('calls')
    .values(
      calls.map((call) => ({
        operator_id: unit.operator,
        id: call.id,
        session_id: run.session,
        run_id: run.id,
        turn,
        position: call.position,
        model_id: call.modelId,
        model_tool: call.modelTool,
        raw_args: call.rawArgs,
        tool: call.tool,
        args: call.args,
        headline: call.headline,
        state: call.state,
        parent_id: call.parent,
        requester: call.requester && json(call.requester),
        outcome: call.invalid === null ? null : ('invalid' as const),
        result_text: call.invalid ?? '',
        summary: call.invalid ?? '',
        ended_at: call.invalid === null ? null : unit.now,
      })),
    )
    .returningAll()
    .execute()
  for (const row of rows)
    if (row.outcome) emitEnded(unit, row, { outcome: row.outcome, summary: row.summary })
  return rows
}

/** Tells people that a call is over. */
export function emitEnded(
  unit: Unit,
  row: Pick<CallRow, 'id' | 'session_id' | 'run_id' | 'tool' | 'headline'>,
  {
    outcome,
    summary,
    undo = null,
  }: Pick<EndedCall, 'outcome' | 'summary'> & Partial<Pick<EndedCall, 'undo'>>,
): void {
  const { id: call, session_id: session, run_id: run, tool, headline } = row
  const about = { session, run, call, tool, headline }
  unit.emit({ type: 'call.ended', ...about, outcome, summary, undoable: undo !== null })
}

export function callsOfTurn(db: Db, run: RunId, turn: number): Promise<CallRow[]> {
  return db
    .selectFrom('calls')
    .selectAll()
    .where('run_id', '=', run)
    .where('turn', '=', turn)
    .orderBy('position')
    .execute()
}

export interface DecidedCall {
  readonly id: CallId
  /** What found no space in the inbox stays proposed, with the decision that it had. */
  readonly state: 'proposed' | 'asked' | 'intended' | 'ended'
  readonly decision: Decision | null
  readonly outcome: CallOutcome | null
  readonly text: string
  /** What people see of it, where that is not the text. */
  readonly summary?: string
  readonly approval: ApprovalId | null
  readonly permit: Permit | null
  /** What the decision was made of; null where policy was not asked. */
  readonly judged: JudgedCall | null
  /** What an answer is worth that took the place of the call. */
  readonly brought?: Label
}

export async function writeDecidedCalls(unit: Unit, calls: readonly DecidedCall[]): Promise<void> {
  if (calls.length === 0) return
  const intended = calls.map((call) => (call.state === 'intended' ? unit.now.toISOString() : null))
  const ended = calls.map((call) => (call.state === 'ended' ? unit.now.toISOString() : null))
  await sql`
    update calls set state = v.state, decision = v.decision, tier = v.tier,
      outcome = v.outcome, result_text = v.text, summary = v.summary, approval_id = v.approval, permit = v.permit,
      nonce = v.nonce, intended_at = v.intended_at, ended_at = v.ended_at, judged = v.judged
    from unnest(
      ${calls.map((call) => call.id)}::text[], ${calls.map((call) => call.state)}::text[],
      ${calls.map((call) => call.decision && json(call.decision))}::json[],
      ${calls.map((call) => call.decision?.tier ?? null)}::smallint[],
      ${calls.map((call) => call.outcome)}::text[],
      ${calls.map((call) => storable(call.text))}::text[],
      ${calls.map((call) => storable(call.summary ?? call.text))}::text[],
      ${calls.map((call) => call.approval)}::text[],
      ${calls.map((call) => call.permit && json(call.permit))}::json[],
      ${calls.map((call) => call.permit?.subject.nonce ?? null)}::text[],
      ${intended}::timestamptz[], ${ended}::timestamptz[],
      ${calls.map((call) => call.judged && storable(json(call.judged)))}::json[])
      as v(id, state, decision, tier, outcome, text, summary, approval, permit, nonce, intended_at, ended_at, judged)
    where calls.id = v.id`.execute(unit.db)
}

export interface EndedCall {
  readonly id: CallId
  /** `waiting`: it is done, and told when the call after it has ended. */
  readonly state: 'ended' | 'unknown' | 'waiting'
  readonly outcome: CallOutcome
  readonly text: string
  readonly summary: string
  readonly startedAt: string | null
  readonly undo: ToolResult['undo']
  readonly label: Label | null
  readonly pictures?: readonly PictureFile[]
}

export async function writeEndedCalls(unit: Unit, calls: readonly EndedCall[]): Promise<void> {
  if (calls.length > 0) await endOf(unit, calls).execute(unit.db)
}

interface Seen extends SeenControls {
  readonly settings: string
}

/** One statement: the calls end, the run gets its label, and what is wanted of the run by now is seen. */
export async function endCallsOf(
  unit: Unit,
  run: RunRow,
  calls: readonly EndedCall[],
  label: Label,
  settings: SettingsState,
): Promise<Seen> {
  const { rows } = await sql<Seen>`
    with ended as (${endOf(unit, calls)}), labelled as (
      update runs set label = ${json(label)}
      where id = ${run.id} and ${json(label) !== json(run.label)}::boolean
    )
    select paused_at, ledger_alarm_at, ${heldBy(run)} as held, ${hasWords(run.id)} as words, ${settings} as settings
    from operators`.execute(unit.db)
  const [seen] = rows
  if (!seen) throw new Error('there is no operator')
  return seen
}

function endOf(unit: Unit, calls: readonly EndedCall[]) {
  return sql`
    update calls set state = v.state, outcome = v.outcome, result_text = v.text, summary = v.summary,
      started_at = coalesce(v.started_at, calls.started_at), undo = v.undo, output_label = v.label,
      pictures = v.pictures, ended_at = ${unit.now}
    from unnest(
      ${calls.map((call) => call.id)}::text[], ${calls.map((call) => call.state)}::text[],
      ${calls.map((call) => call.outcome)}::text[], ${calls.map((call) => storable(call.text))}::text[],
      ${calls.map((call) => storable(call.summary))}::text[], ${calls.map((call) => call.startedAt)}::timestamptz[],
      ${calls.map((call) => call.undo && json(call.undo))}::json[],
      ${calls.map((call) => call.label && json(call.label))}::json[],
      ${calls.map((call) => (call.pictures?.length ? storable(json(call.pictures)) : null))}::json[])
      as v(id, state, outcome, text, summary, started_at, undo, label, pictures)
    where calls.id = v.id`
}

const shownResult = 20_000

export function viewOfCall(row: CallRow, redact: (text: string) => string): CallView {
  return {
    id: row.id,
    parent: row.parent_id,
    turn: row.turn,
    tool: row.tool,
    headline: row.headline,
    args: redact(row.args),
    tier: row.tier,
    decision: row.decision,
    state: row.state,
    outcome: row.state === 'waiting' ? null : row.outcome,
    summary: row.summary,
    result: row.result_text.slice(0, shownResult),
    approval: row.approval_id,
    undoable: row.undo !== null && row.undone_by === null,
    undone: row.undone_by !== null,
    intendedAt: row.intended_at?.toISOString() ?? null,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}
