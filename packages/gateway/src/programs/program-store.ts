/**
 * Owns the programs of the operator as they are kept: name, agents, role, limits, and the hash of a token. A token leaves
 * this file once, when it is made.
 */
import {
  type AddProgram,
  type ChangeProgram,
  CountersignError,
  type OperatorId,
  PeerLimits,
  type ProgramChanged,
  type ProgramRole,
  type ProgramToken,
  type KnownProgram,
  programRequester,
  usualPeerLimits,
} from '@countersign/contract'
import type { RecordTransaction, RecordTransactions } from '@countersign/kernel'
import { sql } from 'kysely'
import type { z } from 'zod'
import { spentToday } from '../channels/spent-today.ts'
import type { ActingOperator } from '../server/secrets.ts'
import { programDb } from './tables.ts'
import { endOfToken, hashOfToken, newToken } from './token.ts'

/** Who asks by a token. */
export interface Program {
  readonly name: string
  readonly agents: readonly string[]
  readonly role: ProgramRole
  readonly private: boolean
  readonly limits: PeerLimits
  readonly paused: boolean
  readonly tokenHash: string
}

export interface ProgramStoreParts {
  readonly records: Pick<RecordTransactions, 'read' | 'change' | 'single'>
  readonly operator: OperatorId
  readonly zone: string
  /** Refuses the name of an agent that there is not. */
  readonly requireAgent: (id: string) => Promise<unknown>
}

export interface ProgramStore {
  list(): Promise<KnownProgram[]>
  add(by: ActingOperator, program: z.output<typeof AddProgram>): Promise<ProgramToken>
  change(by: ActingOperator, name: string, change: ChangeProgram): Promise<ProgramChanged>
  rotate(by: ActingOperator, name: string): Promise<ProgramToken>
  remove(by: ActingOperator, name: string): Promise<number>
  /** Undefined where no program has this token. */
  byToken(hash: string): Promise<Program | undefined>
  byName(name: string): Promise<Program | undefined>
}

const mostPrograms = 50

export function createProgramStore(parts: ProgramStoreParts): ProgramStore {
  const { records, operator, zone } = parts

  async function changed<T>(
    by: ActingOperator,
    name: string,
    work: (tx: RecordTransaction) => Promise<T>,
  ): Promise<{ value: T; program: KnownProgram; ledger: number }> {
    const { value, ledger } = await records.change(by.operator, async (tx) => {
      const done = await work(tx)
      tx.emit({ type: 'channels.changed' })
      const [program] = await programsIn(tx, zone, name)
      if (!program) throw unknownProgram(name)
      return { value: done, program }
    })
    return { ...value, ledger }
  }

  async function requireAgents(agents: readonly string[] | undefined): Promise<void> {
    for (const agent of agents ?? []) await parts.requireAgent(agent)
  }

  return {
    list: () => records.read(operator, (tx) => programsIn(tx, zone)),
    async add(by, { name, agents, role, private: hears, limits: given }) {
      await requireAgents(agents)
      const token = newToken()
      const limits = PeerLimits.parse({ ...usualPeerLimits, ...given })
      const { program, ledger } = await changed(by, name, async (tx) => {
        await requireRoom(tx)
        const row = await programDb(tx.db)
          .insertInto('programs')
          .values({
            operator_id: tx.operator,
            name,
            agents: JSON.stringify(agents),
            role,
            private: hears,
            limits: JSON.stringify(limits),
            paused: false,
            token_hash: hashOfToken(token),
            token_end: endOfToken(token),
            created_at: tx.now,
            created_by: by.actor.id,
            last_used_at: null,
          })
          .onConflict((conflict) => conflict.columns(['operator_id', 'name']).doNothing())
          .returning('name')
          .executeTakeFirst()
        if (!row)
          throw new CountersignError('conflict', `There is a program ${name} already.`, {
            next: `Choose another name, or give it another token with \`countersign program rotate ${name}\`.`,
          })
        tx.record({ type: 'program.added', actor: by.actor, data: { name, agents, role, private: hears, limits } })
      })
      return { program, token, ledger }
    },
    async change(by, name, change) {
      await requireAgents(change.agents)
      const { program, ledger } = await changed(by, name, async (tx) => {
        const before = await lockedProgram(tx, name)
        const limits = PeerLimits.parse({ ...before.limits, ...change.limits })
        const { agents = before.agents, role = before.role, paused = before.paused } = change
        const hears = change.private ?? before.private
        await programDb(tx.db)
          .updateTable('programs')
          .set({ agents: JSON.stringify(agents), role, private: hears, limits: JSON.stringify(limits), paused })
          .where('name', '=', name)
          .execute()
        const data = { name, agents: [...agents], role, private: hears, limits, paused }
        tx.record({ type: actOf(change), actor: by.actor, data })
      })
      return { program, ledger }
    },
    async rotate(by, name) {
      const token = newToken()
      const { program, ledger } = await changed(by, name, async (tx) => {
        await lockedProgram(tx, name)
        await programDb(tx.db)
          .updateTable('programs')
          .set({ token_hash: hashOfToken(token), token_end: endOfToken(token) })
          .where('name', '=', name)
          .execute()
        tx.record({ type: 'program.rotated', actor: by.actor, data: { name } })
      })
      return { program, token, ledger }
    },
    async remove(by, name) {
      const { ledger } = await records.change(by.operator, async (tx) => {
        await lockedProgram(tx, name)
        const db = programDb(tx.db)
        // Another of this name is a stranger, and is led into nothing that was said to this one.
        await db.deleteFrom('program_questions').where('program', '=', name).execute()
        await db.deleteFrom('program_conversations').where('program', '=', name).execute()
        await db.deleteFrom('programs').where('name', '=', name).execute()
        tx.record({ type: 'program.revoked', actor: by.actor, data: { name } })
        tx.emit({ type: 'channels.changed' })
      })
      return ledger
    },
    byToken: (hash) => records.single(operator, (tx) => programWhere(tx, 'token_hash', hash)),
    byName: (name) => records.single(operator, (tx) => programWhere(tx, 'name', name)),
  }
}

/** As whoever writes in a chat: with a role and limits, and only while it is let in. */
export async function programPeer(
  tx: Pick<RecordTransaction, 'db'>,
  name: string,
): Promise<Pick<Program, 'role' | 'limits'> | undefined> {
  const program = await programWhere(tx, 'name', name)
  return program === undefined || program.paused ? undefined : program
}

/** Whoever pauses or removes it waits for the end of this transaction. */
export function heldProgram(tx: Pick<RecordTransaction, 'db'>, name: string): Promise<Program | undefined> {
  return programWhere(tx, 'name', name, 'share')
}

async function programWhere(
  { db }: Pick<RecordTransaction, 'db'>,
  column: 'name' | 'token_hash',
  value: string,
  lock?: 'share' | 'update',
): Promise<Program | undefined> {
  const row = await programDb(db)
    .selectFrom('programs')
    .select(['name', 'agents', 'role', 'private', 'limits', 'paused', 'token_hash'])
    .where(column, '=', value)
    .$if(lock === 'share', (query) => query.forShare())
    .$if(lock === 'update', (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) return undefined
  const { token_hash: tokenHash, limits, ...rest } = row
  return { ...rest, limits: PeerLimits.parse(limits), tokenHash }
}

async function lockedProgram(tx: RecordTransaction, name: string): Promise<Program> {
  const program = await programWhere(tx, 'name', name, 'update')
  if (program) return program
  throw unknownProgram(name)
}

function unknownProgram(name: string): CountersignError {
  return new CountersignError('not_found', `There is no program ${name}.`, {
    next: 'See them with `countersign program list`.',
  })
}

async function requireRoom({ db }: RecordTransaction): Promise<void> {
  const { count } = await programDb(db)
    .selectFrom('programs')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= mostPrograms)
    throw new CountersignError('limit_reached', `There are ${mostPrograms} programs already.`, {
      next: 'Remove one with `countersign program revoke <name>`.',
    })
}

function actOf({ paused, ...rest }: ChangeProgram): string {
  if (paused === undefined || Object.keys(rest).length > 0) return 'program.changed'
  return paused ? 'program.paused' : 'program.resumed'
}

async function programsIn(tx: RecordTransaction, zone: string, only?: string): Promise<KnownProgram[]> {
  const rows = await programDb(tx.db)
    .selectFrom('programs')
    .selectAll('programs')
    .select(({ selectFrom }) =>
      selectFrom('program_questions')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('program_questions.program', '=', 'programs.name')
        .as('questions'),
    )
    .$if(only !== undefined, (query) => query.where('programs.name', '=', only ?? ''))
    .orderBy('name')
    .execute()
  const views: KnownProgram[] = []
  for (const row of rows) {
    const { spentUsd } = await spentToday(tx, programRequester(row.name), zone)
    views.push({
      name: row.name,
      agents: row.agents,
      role: row.role,
      private: row.private,
      limits: PeerLimits.parse(row.limits),
      paused: row.paused,
      tokenEnd: row.token_end,
      createdAt: row.created_at.toISOString(),
      createdBy: row.created_by,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      spentUsd,
      questions: row.questions ?? 0,
    })
  }
  return views
}
