/** The operator's records on connections of one's own: for measuring what the door costs, and for repair by hand. */
import type { OperatorId, Records } from '@countersign/contract'
import { databaseOn, openPool } from '@countersign/database'
import type pg from 'pg'
import { recordsOf } from '../records/records.ts'
import type { Db } from '../store/store.ts'

export interface BareRecords {
  /** Runs the work in one transaction of the operator's, and nothing else: no decision, no permit, no ledger. */
  transact<T>(operator: OperatorId, now: Date, work: (records: Records) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openBareRecords(connection: pg.PoolConfig, onProblem: (error: unknown) => void): BareRecords {
  const pool = openPool(connection, 1, onProblem)
  const databases = new WeakMap<pg.PoolClient, Db>()
  return {
    async transact(operator, now, work) {
      const client = await pool.connect()
      const database = databases.get(client) ?? databaseOn(client)
      databases.set(client, database)
      try {
        await client.query('begin')
        await client.query("select set_config('app.operator', $1, true)", [operator])
        const value = await work(recordsOf(database, operator, now))
        await client.query('commit')
        return value
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}
