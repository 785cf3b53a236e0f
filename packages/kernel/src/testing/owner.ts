/** The kernel's tables under the kernel's role, for tests that lay out rows by hand. Never for use outside tests. */
import type { OperatorId } from '@countersign/contract'
import type pg from 'pg'
import { type Db, openStore, type Unit } from '../store/store.ts'

export type OwnerUnit = Pick<Unit, 'db' | 'operator' | 'now'>

export interface Owner {
  /** One transaction of the operator's, with nothing in the ledger. */
  within<T>(operator: OperatorId, work: (unit: OwnerUnit) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type { Db as OwnerDb }

export function openOwner(connection: pg.PoolConfig, clock: () => Date = () => new Date()): Owner {
  const commitHook = { prepare: () => [], committed: () => undefined }
  const store = openStore({
    connection,
    ledger: commitHook,
    stream: commitHook,
    clock,
    onProblem: console.error,
    poolSize: 2,
  })
  return {
    within: (operator, work) => store.read(operator, (db) => work({ db, operator, now: clock() })),
    close: () => store.close(),
  }
}
