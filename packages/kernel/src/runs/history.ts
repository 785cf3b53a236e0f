/** Owns what the model is shown of the past: the messages of the session with the calls that belong to them. */
import { nextStreak, noStreak, type Streak } from '@countersign/agent'
import type { RunId, SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import type { CallRow } from '../dispatch/call-rows.ts'
import { callReplyOf } from '../dispatch/finish-turn.ts'
import type { PastMessage } from '../pictures/show-pictures.ts'
import { shownFrom } from '../store/session-window.ts'
import type { LimitedDb } from '../store/store.ts'

/** More than any window holds; the assistant says how much of it a model is shown. */
const mostMessages = 2_000

export interface History {
  readonly messages: readonly PastMessage[]
  readonly streak: Streak
  /** The words that came with the last calls. */
  readonly lastReplyText: string
  /** How many of the messages, at the end, are of the current run. */
  readonly own: number
}

/** Reads the history up to the present; the results of an unsettled turn are left to the loop. */
export async function readHistory(
  db: LimitedDb,
  session: SessionId,
  current: { run: RunId; turn: number },
): Promise<History & { hasOpenCalls: boolean }> {
  const rows = await db
    .selectFrom('messages')
    .select(['run_id', 'turn', 'role', 'text', 'attachments'])
    .where('session_id', '=', session)
    .where('position', '>=', (window) => shownFrom(window, session))
    .orderBy('position', 'desc')
    .limit(mostMessages)
    .execute()
  const turns = rows.toReversed()
  const talked = turns.some((row) => row.role === 'assistant')
  const calls = talked ? await callsOf(db, [...new Set(turns.map((row) => row.run_id))]) : []
  const allByTurn = Map.groupBy(calls, (call) => `${call.run_id}/${call.turn}`)
  const own = calls.filter(({ parent_id }) => parent_id === null)
  const byTurn = Map.groupBy(own, (call) => `${call.run_id}/${call.turn}`)

  const messages: PastMessage[] = []
  let before = 0
  let streak = noStreak
  let lastReplyText = ''
  let hasOpenCalls = false
  for (const row of turns) {
    if (row.run_id !== current.run) before = messages.length + 1
    if (row.role === 'user') {
      messages.push({ role: 'user', text: row.text, attachments: row.attachments })
      continue
    }
    const made = byTurn.get(`${row.run_id}/${row.turn}`) ?? []
    messages.push({ role: 'assistant', text: row.text, calls: made.map(rawOf) })
    if (row.run_id === current.run) {
      streak = nextStreak(streak, { calls: made.map(rawOf) })
      lastReplyText = row.text
    }
    if (made.length === 0) continue
    hasOpenCalls = row.run_id === current.run && row.turn === current.turn
    if (!hasOpenCalls) {
      const pictures = (allByTurn.get(`${row.run_id}/${row.turn}`) ?? []).flatMap(
        (call) => call.pictures ?? [],
      )
      messages.push({ role: 'tool', results: made.map(endedReply), pictures })
    }
    if (row.run_id !== current.run) before = messages.length
  }
  return { messages, streak, lastReplyText, own: messages.length - before, hasOpenCalls }
}

const shownColumns = [
  'run_id',
  'turn',
  'model_id',
  'model_tool',
  'raw_args',
  'state',
  'outcome',
  'result_text',
  'args',
  'edited_from',
  'parent_id',
  'pictures',
] as const
type ShownCall = Pick<CallRow, (typeof shownColumns)[number]>

function callsOf(db: LimitedDb, runs: readonly RunId[]): Promise<ShownCall[]> {
  return db
    .selectFrom('calls')
    .select(shownColumns)
    .where('run_id', '=', sql<RunId>`any(${runs})`)
    .where((call) => call.or([call('parent_id', 'is', null), call('pictures', 'is not', null)]))
    .orderBy('run_id')
    .orderBy('turn')
    .orderBy('position')
    .execute()
}

const rawOf = (row: ShownCall) => ({ id: row.model_id, name: row.model_tool, args: row.raw_args })

function endedReply(row: ShownCall) {
  return row.state === 'ended'
    ? callReplyOf(row)
    : { ...callReplyOf(row), text: 'Not executed: the run was stopped.', isError: true }
}
