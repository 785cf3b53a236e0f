/** Owns what the tests of the voice stand on: records in memory with a ledger, a real vault in a folder, and a meter that counts. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Meter, PlannedCall, Shortage, SpentCall } from '@countersign/agent'
import { type BudgetExtensions, idFrom, type JsonObject, type OperatorId } from '@countersign/contract'
import { createRedactor } from '@countersign/contract/node'
import { fileIdentity, openVault } from '@countersign/executor'
import type { RecordTransactions } from '@countersign/kernel'
import { createMemoryRecords, dumpOf } from '@countersign/tools/testing'
import { type ActingOperator, createSecretAdmin } from '../../server/secrets.ts'
import { bareUnit } from '../../testing/bare-unit.ts'
import { modelSettingsCollections } from '../model-choices.ts'

export interface TestEntry {
  readonly type: string
  readonly actor: string
  readonly data: JsonObject
}

export type TestRecords = Awaited<ReturnType<typeof openTestRecords>>

export const operator: OperatorId = idFrom('op', '0'.repeat(32))
export const by: ActingOperator = { operator, actor: { kind: 'operator', id: 'laptop' } }

export async function openTestRecords() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-voice-'))
  const memory = createMemoryRecords()
  const ledger: TestEntry[] = []
  const counted = { reads: 0, stamps: 0 }
  const redactor = createRedactor()
  const vault = await openVault({
    file: join(folder, 'vault.age'),
    identity: fileIdentity(join(folder, 'identity')),
  })
  const secrets = createSecretAdmin({
    vault,
    redactor,
    act: (_operator, { type, actor, data }) => Promise.resolve(ledger.push({ type, actor: actor.id, data })),
  })
  const records: Pick<RecordTransactions, 'read' | 'settingsState' | 'change'> = {
    read: (_operator, work) => {
      counted.reads += 1
      return work({ ...bareUnit, records: memory, budgetExtensions: none, now: memory.now })
    },
    async settingsState() {
      counted.stamps += 1
      const dump = await dumpOf(memory)
      return JSON.stringify(modelSettingsCollections.map((name) => dump[name]))
    },
    async change(_operator, work) {
      const entries: TestEntry[] = []
      const value = await work({
        ...bareUnit,
        records: memory,
        budgetExtensions: none,
        now: memory.now,
        record: ({ type, actor, data }) => entries.push({ type, actor: actor.id, data }),
      })
      ledger.push(...entries)
      return { value, ledger: ledger.length }
    },
  }
  return {
    folder,
    memory,
    ledger,
    counted,
    redactor,
    vault,
    secrets,
    records: () => records,
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const none: BudgetExtensions = {
  add: () => Promise.reject(new Error('Nothing is allowed here.')),
  release: () => Promise.reject(new Error('Nothing is released here.')),
}

/** A meter that lets everything pass and remembers it, or refuses everything with one shortage. */
export function createCountingMeter(shortage?: Shortage) {
  const planned: PlannedCall[] = []
  const spent: SpentCall[] = []
  const meter: Meter = {
    reserve(call) {
      planned.push(call)
      return Promise.resolve(
        shortage ? { kind: 'refused', shortage } : { kind: 'reserved', id: `call_${planned.length}` },
      )
    },
    settle(_id, call) {
      spent.push(call)
      return Promise.resolve()
    },
  }
  return { meter, planned, spent }
}
