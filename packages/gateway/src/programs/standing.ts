/**
 * Owns how a question of a program stands, read from the rows of its run, and the words in which the program is told. An
 * answer is given only where its label lets the program hear it.
 */
import { type Label, type RunId, type SessionId } from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'
import type { Program } from './program-rows.ts'
import { programDb } from './tables.ts'

export interface Usage {
  readonly input: number
  readonly output: number
}

export type Standing =
  /** It is not in the conversation yet, or waits there for its turn. */
  | { readonly kind: 'queued'; readonly isPaused: boolean }
  | { readonly kind: 'working'; readonly run: RunId }
  | {
      readonly kind: 'waits'
      readonly run: RunId
      readonly on: 'approval' | 'question' | 'pause'
      /** Of the approval that waits. */
      readonly code: string | null
    }
  | { readonly kind: 'ended'; readonly run: RunId; readonly text: string; readonly isWell: boolean }

export const unheard =
  'The answer may hold something private, and the operator has not opened that to this program.'

export function hears(program: Pick<Program, 'private'>, { confidentiality }: Label): boolean {
  return confidentiality === 'public' || (confidentiality === 'private' && program.private)
}

export async function standingOf(
  { db }: Pick<RecordTransaction, 'db'>,
  program: Pick<Program, 'private'>,
  inputKey: string,
): Promise<Standing> {
  const rows = programDb(db)
  const run = await rows
    .selectFrom('runs')
    .innerJoin('inputs', 'inputs.id', 'runs.input_id')
    .select(['runs.id', 'runs.kind', 'runs.state', 'runs.parked_on', 'runs.reason', 'runs.label'])
    .where('inputs.key', '=', inputKey)
    .orderBy('runs.started_at', 'desc')
    .executeTakeFirst()
  if (!run) {
    const { paused_at } = await rows.selectFrom('operators').select('paused_at').executeTakeFirstOrThrow()
    return { kind: 'queued', isPaused: paused_at !== null }
  }
  const { id, state, parked_on: on } = run
  if (state === 'stopped') {
    const isWell = run.reason === 'completed'
    const said = run.kind === 'direct' ? await resultOf(rows, id) : isWell ? await replyOf(rows, id) : ''
    if (!hears(program, run.label)) return { kind: 'ended', run: id, text: unheard, isWell: false }
    const text = said === '' ? (isWell ? 'Done.' : 'I could not finish this.') : said
    return { kind: 'ended', run: id, text, isWell }
  }
  if (state === 'parked' && (on === 'approval' || on === 'inbox')) {
    const pending = await rows
      .selectFrom('approvals')
      .select('code')
      .where('run_id', '=', id)
      .where('state', '=', 'pending')
      .orderBy('created_at')
      .executeTakeFirst()
    return { kind: 'waits', run: id, on: 'approval', code: pending?.code ?? null }
  }
  if (state === 'parked' && on === 'question') return { kind: 'waits', run: id, on: 'question', code: null }
  if (state === 'parked' && on === 'paused') return { kind: 'waits', run: id, on: 'pause', code: null }
  return { kind: 'working', run: id }
}

type Rows = ReturnType<typeof programDb>

async function replyOf(rows: Rows, run: RunId): Promise<string> {
  const row = await rows
    .selectFrom('messages')
    .select('text')
    .where('run_id', '=', run)
    .where('role', '=', 'assistant')
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return row?.text.trim() ?? ''
}

/** Of a call without a model. Its outcome says what is to be thought of it. */
async function resultOf(rows: Rows, run: RunId): Promise<string> {
  const row = await rows
    .selectFrom('calls')
    .select(['outcome', 'result_text'])
    .where('run_id', '=', run)
    .where('parent_id', 'is', null)
    .orderBy('position')
    .executeTakeFirst()
  if (!row) return ''
  return row.outcome === 'ok'
    ? row.result_text
    : `It was not done (${row.outcome ?? 'open'}): ${row.result_text}`
}

/** What a program is told that waits, or waits for long. Nothing of what the call would do. */
export function waitingWords(standing: Exclude<Standing, { kind: 'ended' }>): string {
  const later = 'Ask again in this conversation to hear how it ended.'
  if (standing.kind === 'queued' || standing.kind === 'working')
    return standing.kind === 'queued' && standing.isPaused
      ? `The operator has paused all work. Your message waits. ${later}`
      : `This takes longer, and goes on by itself. ${later}`
  switch (standing.on) {
    case 'approval':
      return `This needs the OK of the operator, who was asked${codeOf(standing.code)}. ${later}`
    case 'question':
      return `The operator was asked something first. ${later}`
    case 'pause':
      return `The operator has paused this. It goes on later. ${later}`
  }
}

/** Of an earlier question, to whoever asks the next one meanwhile. */
export function stillWaitingWords({ on, code }: Extract<Standing, { kind: 'waits' }>): string {
  const what =
    on === 'approval'
      ? `has not decided yet${codeOf(code)}`
      : on === 'question'
        ? 'has not answered yet'
        : 'has paused this'
  return `The operator ${what}. What you asked before still waits, and this message was not taken. Ask again later in this conversation.`
}

const codeOf = (code: string | null): string => (code === null ? '' : ` (${code})`)

export async function usageOf({ db }: Pick<RecordTransaction, 'db'>, run: RunId | null): Promise<Usage> {
  if (run === null) return { input: 0, output: 0 }
  const { rows } = await sql<Usage>`
    select coalesce(sum(input), 0)::int as input, coalesce(sum(output), 0)::int as output
    from model_calls where run_id = ${run}`.execute(db)
  return rows[0] ?? { input: 0, output: 0 }
}

/** Whether the conversation is still there to be gone on with. */
export async function isOpen({ db }: Pick<RecordTransaction, 'db'>, session: SessionId): Promise<boolean> {
  const row = await programDb(db)
    .selectFrom('sessions')
    .select(['removed_at', 'ends_at'])
    .where('id', '=', session)
    .executeTakeFirst()
  // One that was not begun yet will be begun under this id.
  return row === undefined || (row.removed_at === null && row.ends_at === null)
}
