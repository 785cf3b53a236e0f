/**
 * Removes what came in and went out in chats long ago, what strangers wrote beyond a number, and strangers whose code is of
 * no use any more. What still waits stays, and conversations are kept elsewhere.
 */
import type { RetainedKind } from '@countersign/kernel'
import { sql } from 'kysely'

const dayMs = 24 * 60 * 60_000
/** Of each channel: of what was left alone only its id is kept, so that it is left alone when it is told again. */
const mostLeft = 20_000

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
    const { rows: left } = await sql`
      delete from channel_inbox where operator_id = ${unit.operator} and (channel, id) in (
        select channel, id from (
          select channel, id, row_number() over (partition by channel order by position desc) as place
          from channel_inbox where operator_id = ${unit.operator} and state = 'left'
        ) counted where place > ${mostLeft} limit ${most})
      returning 1`.execute(unit.db)
    await sql`
      delete from channel_peers where operator_id = ${unit.operator} and state = 'asking'
        and asked_at < ${new Date(unit.now.getTime() - dayMs)}`.execute(unit.db)
    const { rows: sent } = await sql`
      delete from channel_outbox where operator_id = ${unit.operator} and id in (
        select id from channel_outbox
        where operator_id = ${unit.operator} and state not in ('waiting', 'sending', 'held') and at < ${before}
        limit ${most})
      returning 1`.execute(unit.db)
    const all = [taken, left, sent]
    return {
      removed: all.reduce((sum, { length }) => sum + length, 0),
      more: all.some(({ length }) => length === most),
    }
  },
}
