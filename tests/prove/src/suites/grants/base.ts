/**
 * Owns the database of the trials and the doors of the kernel into it: how a grant is made, ended, found for a call
 * and spent. The kernel lays the tables; the trials then write grants without the approvals that they came from.
 */
import { randomUUIDv7 } from 'node:crypto'
import {
  type Decision,
  type GrantId,
  type GrantRequest,
  idFrom,
  type JsonObject,
  operatorLabel,
  type Resolution,
  type ToolFacts,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { openTestKernel } from '@countersign/kernel/testing'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import pg from 'pg'
import { databaseOn, openPool } from '../../../../../packages/database/src/index.ts'
import {
  createGrant,
  type GrantSubject,
  revokeGrant,
  spendGrant,
} from '../../../../../packages/kernel/src/approvals/grants.ts'
import { classifyAndDecide } from '../../../../../packages/kernel/src/dispatch/classify-and-decide.ts'
import type { Executors } from '../../../../../packages/kernel/src/dispatch/dispatch-ports.ts'
import type { Db, Store, Unit } from '../../../../../packages/kernel/src/store/store.ts'
import { startTestDatabase } from '../../../../harness/src/postgres.ts'
import type { Call } from './calls.ts'

export interface Base {
  /** Null when the call has no target that a grant could name. */
  grant(approved: Call, request: GrantRequest, now: Date): Promise<{ id: GrantId; sentence: string } | null>
  revoke(id: GrantId, now: Date): Promise<void>
  decide(call: Call, now: Date): Promise<Decision>
  spend(id: string, now: Date): Promise<boolean>
  uses(id: GrantId): Promise<number>
  close(): Promise<void>
}

const operator = idFrom('op', randomUUIDv7())
const actor = { kind: 'operator' as const, id: 'desk' }
const connections = 8

export async function openBase(): Promise<Base> {
  const database = await startTestDatabase()
  const kernel = await openTestKernel(database.connection, () => ({ text: '' }))
  await kernel.close()
  const administrator = new pg.Client({ ...database.administrator, database: database.connection.database })
  await administrator.connect()
  await administrator.query('alter table countersign.grants drop constraint grants_approval_id_fkey')
  await administrator.end()
  const pool = openPool(database.connection, connections, () => undefined)
  const databases = new WeakMap<pg.PoolClient, Db>()

  async function within<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const db: Db = databases.get(client) ?? databaseOn(client)
    databases.set(client, db)
    try {
      await client.query('begin')
      await client.query("select set_config('app.operator', $1, true)", [operator])
      const value = await work(db)
      await client.query('commit')
      return value
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

  const unitOf = (db: Db, now: Date): Unit => ({
    db,
    limited: db as unknown as Unit['limited'],
    operator,
    now,
    record: () => undefined,
    emit: () => undefined,
    afterCommit: () => undefined,
  })
  const store = {
    read: (_operator: unknown, work: (db: Db) => Promise<unknown>) => within(work),
  } as unknown as Store
  const policy = compiled()

  return {
    async grant(approved, request, now) {
      const offers = { untrusted: { run: false, stops: [] } }
      const subject = { ...subjectOf(approved), id: idFrom('apr', randomUUIDv7()), offers }
      return within(async (db) => {
        const id = await createGrant(unitOf(db, now), subject, request, actor, randomUUIDv7)
        const { sentence } = await db
          .selectFrom('grants')
          .select('sentence')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        return { id, sentence }
      }).catch((error: unknown) => {
        if (error instanceof Error && /no target|no goal/.test(error.message)) return null
        throw error
      })
    },
    revoke: (id, now) => within((db) => revokeGrant(unitOf(db, now), id, actor)),
    async decide(call, now) {
      const circumstances = {
        operator,
        ...subjectOf(call),
        label: call.label,
        requester: call.requester ?? { kind: 'operator' as const, id: operator },
        unattended: false,
        origins: [],
        firstHand: true,
        inReader: false,
      }
      const ports = { executors: resolving(call), store, policy, now }
      const [assessed] = await classifyAndDecide([canonical(call)], circumstances, ports)
      if (assessed?.kind !== 'assessed') throw new Error('the call was not assessed')
      return assessed.decision
    },
    spend: (id, now) => within((db) => spendGrant(unitOf(db, now), id)),
    uses: (id) =>
      within(async (db) => {
        const row = await db
          .selectFrom('grants')
          .select('uses')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        return row.uses
      }),
    async close() {
      policy.dispose()
      await pool.end()
      await database.stop()
    },
  }
}

function subjectOf(call: Call): GrantSubject {
  const { tool, resources, effects, agent, goal } = call
  const [session, run] = [call.session, call.run] as [GrantSubject['session'], GrantSubject['run']]
  return { tool, resources, effects, agent, goal, session, run, argsHash: sha256Hex(call.args) }
}

function canonical({ tool, args, value = {} }: Call): Parameters<typeof classifyAndDecide>[0][number] {
  const facts: ToolFacts = {
    name: tool,
    version: '1',
    description: tool,
    category: 'test',
    group: 'test',
    tags: [],
    hidden: false,
    listed: true,
    undo: null,
    rate: null,
    origin: null,
    effect: 'once',
    schema: { type: 'object' },
    definition: sha256Hex(tool),
    floor: 0,
    output: operatorLabel,
    runs: 'executor',
    parse: (value) => ({ kind: 'args', args: value as JsonObject }),
    describe: () => tool,
    preview: () => ({ kind: 'text', title: tool, text: args }),
  }
  return { tool: facts, args, value, headline: tool, origin: null }
}

function resolving({ resources, effects, secrets }: Call): Executors {
  const resolution: Resolution = {
    resources: [...resources],
    effects: [...effects],
    sandbox: 'none',
    egress: 'none',
    secrets: [...secrets],
  }
  const executor = {
    resolve: (_operator: unknown, calls: readonly unknown[]) =>
      Promise.resolve(calls.map(() => ({ kind: 'resolved' as const, resolution }))),
  } as unknown as Executors['executor']
  return { executor, gateway: executor }
}

/** Where every call that crosses a boundary asks. */
function compiled(): PolicySet {
  const result = compilePolicies({ autonomy: 'medium', files: [] })
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems))
  return result.set
}
