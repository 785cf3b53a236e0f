/** Owns the events of one session or of one run, read from the log by its indexes. */
import type { EventBody, GatewayEvent, OperatorId, RunId, SessionId } from '@countersign/contract'
import type { Reader } from '@countersign/kernel'

/** The last ones before a number, oldest first. */
export function sessionEvents(
  read: Reader,
  operator: OperatorId,
  session: SessionId,
  page: { readonly before?: number | undefined; readonly limit: number },
): Promise<GatewayEvent[]> {
  return read(operator, async (db) => {
    const rows = await db
      .selectFrom('events')
      .select(['seq', 'at', 'body'])
      .where('operator_id', '=', operator)
      .where('session_id', '=', session)
      .$if(page.before !== undefined, (query) => query.where('seq', '<', page.before as number))
      .orderBy('seq', 'desc')
      .limit(page.limit)
      .execute()
    return rows.toReversed().map(eventOf)
  })
}

/** Those after a number, oldest first. */
export function runEvents(
  read: Reader,
  operator: OperatorId,
  run: RunId,
  page: { readonly since: number; readonly limit: number },
): Promise<GatewayEvent[]> {
  return read(operator, async (db) => {
    const rows = await db
      .selectFrom('events')
      .select(['seq', 'at', 'body'])
      .where('operator_id', '=', operator)
      .where('run_id', '=', run)
      .where('seq', '>', page.since)
      .orderBy('seq')
      .limit(page.limit)
      .execute()
    return rows.map(eventOf)
  })
}

function eventOf(row: { readonly seq: number; readonly at: Date; readonly body: unknown }): GatewayEvent {
  return { seq: row.seq, at: row.at.toISOString(), body: row.body as EventBody }
}
