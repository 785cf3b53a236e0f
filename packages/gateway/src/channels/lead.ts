/**
 * Owns which gateway opens the channels where several work on one database: a platform is spoken with by one of them. It
 * says again and again that it is there; when it does not, another takes over, and at once where it is known to be gone.
 */
import type { OperatorId } from '@countersign/contract'
import type { RecordTransactions } from '@countersign/kernel'
import { sql } from 'kysely'
import { z } from 'zod'
import { channelDb } from './tables.ts'

export interface LeadParts {
  readonly records: Pick<RecordTransactions, 'change'>
  readonly operator: OperatorId
  readonly uuid: () => string
  readonly clock: () => Date
  readonly slot: number
  readonly isAlone: () => Promise<boolean>
  readonly onProblem: (problem: unknown) => void
  /** Called once each time it begins to lead, and once when it no longer does. */
  readonly changed: (leads: boolean) => void
}

export interface Lead {
  /** Tries to lead from now on. */
  begin(): void
  close(): Promise<void>
}

/** No channel has this name. */
const row = '*lead'
const lastsMs = 30_000
const sayMs = 10_000

const Held = z.object({ life: z.string(), slot: z.int(), until: z.iso.datetime() })

export function createLead(parts: LeadParts): Lead {
  const life = parts.uuid()
  let leads = false
  let timer: NodeJS.Timeout | undefined
  let saying: Promise<void> = Promise.resolve()

  async function say(): Promise<void> {
    const alone = await parts.isAlone()
    const { value } = await parts.records.change(parts.operator, async ({ db }) => {
      const rows = channelDb(db)
      const known = await rows
        .selectFrom('channel_states')
        .select('state')
        .where('channel', '=', row)
        .forUpdate()
        .executeTakeFirst()
      const now = parts.clock()
      if (known && !alone && !isFree(known.state, now)) return false
      const state = JSON.stringify({
        life,
        slot: parts.slot,
        until: new Date(now.getTime() + lastsMs).toISOString(),
      })
      const { numInsertedOrUpdatedRows } = await rows
        .insertInto('channel_states')
        .values({ operator_id: parts.operator, channel: row, state })
        .onConflict((conflict) =>
          known
            ? conflict.columns(['operator_id', 'channel']).doUpdateSet({ state })
            : conflict.columns(['operator_id', 'channel']).doNothing(),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    })
    become(value)
  }

  function isFree(state: string, now: Date): boolean {
    const held = Held.safeParse(JSON.parse(state))
    if (!held.success) return true
    const { life: holder, slot, until } = held.data
    // Whoever had this slot before is gone.
    return holder === life || slot === parts.slot || Date.parse(until) < now.getTime()
  }

  function become(value: boolean): void {
    if (value === leads) return
    leads = value
    parts.changed(value)
  }

  function sayAgain(): void {
    saying = saying.then(say).catch((problem: unknown) => {
      // Who cannot say so is taken for gone before long.
      become(false)
      parts.onProblem(problem)
    })
  }

  return {
    begin() {
      if (timer) return
      timer = setInterval(sayAgain, sayMs)
      timer.unref()
      sayAgain()
    },
    async close() {
      clearInterval(timer)
      await saying
      if (!leads) return
      leads = false
      await parts.records.change(parts.operator, async ({ db }) => {
        // Another may have taken over meanwhile.
        await channelDb(db)
          .deleteFrom('channel_states')
          .where('channel', '=', row)
          .where(sql<boolean>`state::json ->> 'life' = ${life}`)
          .execute()
      })
    },
  }
}
