/** Owns calls that ended, each in a run of its own, as the kernel leaves them behind. For tests. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type OperatorId } from '@countersign/contract'
import type { Owner } from '@countersign/kernel/testing'
import { sql } from 'kysely'

export interface EndedCall {
  readonly tool: string
  readonly args: object | string
  readonly outcome?: string
  readonly kind?: string
  readonly at: Date
}

const label = JSON.stringify({ integrity: 'operator', confidentiality: 'private', sources: [] })

/** The id of the call. */
export async function leaveCall(
  owner: Pick<Owner, 'within'>,
  of: OperatorId,
  { tool, args, outcome = 'ok', kind = 'agent', at }: EndedCall,
): Promise<string> {
  const [session, input, run, call] = (['ses', 'inp', 'run', 'call'] as const).map((prefix) =>
    idFrom(prefix, randomUUIDv7()),
  )
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  await owner.within(of, async ({ db, operator }) => {
    await sql`insert into sessions (operator_id, id, title, created_at, updated_at, label)
      values (${operator}, ${session}, '', ${at}, ${at}, ${label})`.execute(db)
    await sql`insert into inputs (operator_id, id, session_id, run_id, key, mode, text, requester, state, created_at)
      values (${operator}, ${input}, ${session}, ${run}, ${input}, 'auto', '', '{}', 'done', ${at})`.execute(
      db,
    )
    await sql`insert into runs (operator_id, id, session_id, input_id, kind, state, label, started_at, ended_at)
      values (${operator}, ${run}, ${session}, ${input}, ${kind}, 'stopped', ${label}, ${at}, ${at})`.execute(
      db,
    )
    await sql`insert into calls (operator_id, id, session_id, run_id, turn, position, model_id, model_tool, raw_args,
        tool, args, headline, tier, state, outcome, ended_at)
      values (${operator}, ${call}, ${session}, ${run}, 1, 1, 'a', ${tool}, '{}', ${tool}, ${text}, '', 0, 'ended',
        ${outcome}, ${at})`.execute(db)
  })
  return call ?? ''
}
