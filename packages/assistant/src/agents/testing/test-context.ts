/** A setting for tests: records in memory, and every entry of the ledger in a list. */
import { randomUUIDv7 } from 'node:crypto'
import { idFrom, type JsonObject, noBudgetExtensions } from '@countersign/contract'
import type { Actor, RecordTransaction, RecordTransactions } from '@countersign/kernel'
import { createMemoryRecords } from '@countersign/tools/testing'
import type { AssistantContext } from '../../assistant-context.ts'

export interface TestContext extends AssistantContext {
  readonly rows: ReturnType<typeof createMemoryRecords>
  readonly entries: { readonly type: string; readonly data: JsonObject }[]
  readonly events: Parameters<RecordTransaction['emit']>[0][]
}

export const laptop: Actor = { kind: 'operator', id: 'laptop' }

export function createTestContext(): TestContext {
  const rows = createMemoryRecords()
  const entries: TestContext['entries'] = []
  const events: TestContext['events'] = []
  const operator = idFrom('op', randomUUIDv7())
  const unit = (record: RecordTransaction['record']): RecordTransaction => ({
    operator,
    records: rows,
    budgetExtensions: noBudgetExtensions,
    now: rows.now,
    db: undefined as unknown as RecordTransaction['db'],
    sessions: undefined as unknown as RecordTransaction['sessions'],
    holds: undefined as unknown as RecordTransaction['holds'],
    forgetting: undefined as unknown as RecordTransaction['forgetting'],
    lockRecords: () => Promise.reject(new Error('there is no database')),
    isolated: () => Promise.reject(new Error('there is no database')),
    afterCommit: () => undefined,
    record,
    emit: (event) => {
      events.push(event)
    },
  })
  const records: RecordTransactions = {
    read: (_, work) => work(unit(() => undefined)),
    single: (_, work) => work(unit(() => undefined)),
    shared: (_, work) => work(unit(() => undefined)),
    settingsState: () => Promise.resolve(''),
    async change(_, work) {
      const made: typeof entries = []
      const value = await work(unit(({ type, data }) => made.push({ type, data })))
      entries.push(...made)
      return { value, ledger: entries.length }
    },
    use: () => Promise.reject(new Error('nothing is permitted here')),
  }
  return {
    operator,
    records,
    rows,
    entries,
    events,
    clock: () => rows.now,
    uuid: randomUUIDv7,
    zone: 'Europe/Vienna',
    onProblem: (problem) => {
      throw problem
    },
  }
}
