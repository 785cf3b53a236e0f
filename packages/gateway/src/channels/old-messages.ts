/** Removes what came in and went out in chats long ago. What still waits stays, and conversations are kept elsewhere. */
import type { RetainedKind } from '@countersign/kernel'
import { sql } from 'kysely'

const dayMs = 24 * 60 * 60_000

export const oldMessages: RetainedKind = {
  name: 'messages of channels',
  most: 1_000,
  async remove(unit, days, most) {
    const before = new Date(unit.now.getTime() - days.details * dayMs)
    const { rows: taken } = await sql`
      delete from channel_inbox where operator_id = ${unit.operator} and (channel, id) in (
        select channel, id from channel_inbox
        where operator_id = ${unit.operator} and state <> 'waiting' and at < ${before} limit ${most})
      returning 1`.execute(unit.db)
    const { rows: sent } = await sql`
      delete from channel_outbox where operator_id = ${unit.operator} and id in (
        select id from channel_outbox
        where operator_id = ${unit.operator} and state not in ('waiting', 'sending', 'held') and at < ${before}
        limit ${most})
      returning 1`.execute(unit.db)
    return { removed: taken.length + sent.length, more: taken.length === most || sent.length === most }
  },
}
