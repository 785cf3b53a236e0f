/** Owns reading what a run of a plan said and did, from the kernel's own rows. */
import type { ModelMessage } from '@countersign/agent'
import type { RunId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'

export interface RunTurns {
  readonly messages: readonly ModelMessage[]
  /** The ids of calls that wait for a person. */
  readonly waiting: ReadonlySet<string>
}

export async function turnsOf(db: LimitedDb, run: RunId): Promise<RunTurns> {
  const replies = await db
    .selectFrom('messages')
    .select(['turn', 'text'])
    .where('run_id', '=', run)
    .where('role', '=', 'assistant')
    .orderBy('turn')
    .execute()
  const calls = await db
    .selectFrom('calls')
    .select(['turn', 'model_id', 'model_tool', 'raw_args', 'state', 'outcome', 'result_text', 'parent_id'])
    .where('run_id', '=', run)
    .orderBy('turn')
    .orderBy('position')
    .execute()
  const own = calls.filter(({ parent_id }) => parent_id === null)
  const byTurn = Map.groupBy(own, ({ turn }) => turn)
  const messages: ModelMessage[] = []
  for (const { turn, text } of replies) {
    const made = byTurn.get(turn) ?? []
    messages.push({
      role: 'assistant',
      text,
      calls: made.map((call) => ({ id: call.model_id, name: call.model_tool, args: call.raw_args })),
    })
    const over = made.filter(({ state }) => state === 'ended')
    if (over.length === 0) continue
    messages.push({
      role: 'tool',
      results: over.map((call) => ({
        callId: call.model_id,
        name: call.model_tool,
        text: call.result_text,
        isError: call.outcome !== 'ok',
      })),
    })
  }
  // What a call asked for, and what a program changed, waits under the id of the call.
  const waiting = calls.filter(({ state }) => state === 'asked' || state === 'unknown')
  return { messages, waiting: new Set(waiting.map(({ model_id }) => model_id)) }
}

export async function lastWordsOf(db: LimitedDb, run: RunId): Promise<string> {
  const last = await db
    .selectFrom('messages')
    .select('text')
    .where('run_id', '=', run)
    .where('role', '=', 'assistant')
    .orderBy('turn', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.text ?? ''
}
