/**
 * Owns opening what the kernel keeps: the database with its ledger, its stream of events, the operator's records and
 * what was spent. It is opened before everything that is made from it, so that each part is given what it needs.
 */
import type { Meter } from '@countersign/agent'
import { type EventBody, type GatewayId, ledgerOrigin, type OperatorId } from '@countersign/contract'
import { type KeyPair, publicKeyOf, type Redactor } from '@countersign/contract/node'
import {
  type Migration,
  migrate,
  openPool,
  openProcessMessages,
  type ProcessMessages,
} from '@countersign/database'
import type pg from 'pg'
import {
  type Account,
  createModelCosts,
  type ModelCosts,
  type ModelCostsOptions,
  ownAccount,
} from './budgets/model-costs.ts'
import { createAppender } from './ledger/append.ts'
import { vkeyOf } from './ledger/checkpoint.ts'
import { type Checkpoints, createCheckpoints } from './ledger/checkpoints.ts'
import { createReader, type LedgerReader } from './ledger/inspect.ts'
import { createWitnesses, type Witnesses } from './ledger/witnesses.ts'
import {
  createRecordTransactions,
  type RecordTransaction,
  type RecordTransactions,
  recordTransaction,
} from './records/record-transactions.ts'
import { createDevices, type Devices } from './store/devices.ts'
import { tellFirstStatistics } from './store/first-statistics.ts'
import { migrations } from './store/migrations/index.ts'
import { type SettingsState, settingsState } from './store/settings-state.ts'
import { type EntryDraft, openStore, type Reader, type Store } from './store/store.ts'
import { createStream, type ProcessMessage, type Stream } from './stream/stream.ts'

export interface StorageOptions {
  readonly connection: pg.PoolConfig
  readonly operator: OperatorId
  readonly gateway: { readonly id: GatewayId; readonly key: KeyPair }
  /** Of those who keep tables of their own in the same database. */
  readonly migrations?: readonly Migration[]
  /** The collections of records in which tools and models are chosen. */
  readonly settings?: readonly string[]
  readonly redactor: Redactor
  readonly clock: () => Date
  readonly uuid: () => string
  /** Where the operator's days begin. */
  readonly zone?: string
  readonly poolSize?: number
  /** What somebody who is not the operator may spend in a day, in dollars. Left out, there is nobody else. */
  readonly dailyUsdOf?: (tx: RecordTransaction, person: string) => Promise<number>
  readonly onProblem: (error: unknown) => void
}

/** What every part of a gateway may be given of it. */
export interface SharedStorage {
  readonly records: RecordTransactions
  readonly stream: Stream
  readonly devices: Devices
  /** Who saw which size of the ledger, and what they complain of. */
  readonly witnesses: Witnesses
  /** For whoever shows what there is; nothing can be changed through it. */
  readonly readOnly: Reader
  /** Records what the operator did outside every run, as storing a secret. */
  act(operator: OperatorId, entry: EntryDraft, event?: EventBody): Promise<number>
  /** For calls to a provider outside every run, as the operator's test of one. */
  meterFor(operator: OperatorId, account?: Partial<Account>): Meter
}

/** All of it, for the kernel alone. */
export interface Storage extends SharedStorage {
  readonly options: StorageOptions & { readonly zone: string }
  readonly store: Store
  /** The state of the chosen tools and models, as a part of a statement. */
  readonly settings: SettingsState
  readonly modelCosts: ModelCosts
  readonly checkpoints: Checkpoints
  readonly ledger: LedgerReader
  readonly processes: ProcessMessages<ProcessMessage>
  close(): Promise<void>
}

export async function openStorage(given: StorageOptions): Promise<Storage> {
  const options = { ...given, zone: given.zone ?? 'UTC' }
  const { connection, operator, gateway, redactor, clock, uuid, onProblem } = options
  await bringUpToDate(options)
  const boot = uuid()
  const processes = await openProcessMessages<ProcessMessage>({ connection, process: boot, onProblem })
  const stream = createStream({ store: () => store, redactor, processes, onProblem })
  const append = createAppender({
    redactor,
    boot,
    appended(id, last, urgent, hasEvents) {
      checkpoints.appended(id, last, urgent)
      stream.appended(id, hasEvents)
    },
  })
  const store: Store = openStore({
    connection,
    ledger: append,
    stream: stream.commitHook,
    clock,
    onProblem,
    operator,
    ...(options.poolSize === undefined ? {} : { poolSize: options.poolSize }),
  })
  const settings = settingsState(options.settings ?? [])
  const originOf = (id: OperatorId) => ledgerOrigin(gateway.id, id)
  const publicKey = publicKeyOf(gateway.key.publicKey)
  const checkpoints = createCheckpoints({ store, key: gateway.key.privateKey, originOf, onProblem })
  const keyOf = (id: OperatorId) => vkeyOf({ origin: originOf(id), publicKey })
  const ledger = createReader({ store, originOf, vkeyOf: keyOf })
  const modelCosts = createModelCosts(costParts(store, options))

  return {
    options,
    store,
    modelCosts,
    checkpoints,
    ledger,
    processes,
    stream,
    settings,
    records: createRecordTransactions(store, clock, settings),
    devices: createDevices(store),
    witnesses: createWitnesses({ store, checkpoints, vkeyOf: keyOf }),
    readOnly: store.readOnly,
    async act(id, entry, event) {
      const { ledger: seq } = await store.transact(id, async (unit) => {
        unit.record(entry)
        if (event) unit.emit(event)
      })
      return seq
    },
    meterFor: (id, account = {}) => modelCosts.meterFor(id, { ...ownAccount, ...account }),
    async close() {
      await checkpoints.close()
      await processes.close()
      await store.close()
    },
  }
}

function costParts(
  store: Store,
  { uuid, clock, zone, onProblem, dailyUsdOf }: Storage['options'],
): ModelCostsOptions {
  const limited: ModelCostsOptions['dailyUsdOf'] =
    dailyUsdOf && ((unit, person) => dailyUsdOf(recordTransaction(unit), person))
  return { store, uuid, clock, zone, onProblem, dailyUsdOf: limited }
}

async function bringUpToDate({ connection, onProblem, ...options }: StorageOptions): Promise<void> {
  const pool = openPool(connection, 1, onProblem)
  try {
    const fresh = await migrate(pool, [...migrations, ...(options.migrations ?? [])])
    if (fresh.length > 0) await tellFirstStatistics(pool)
  } finally {
    await pool.end()
  }
}
