/**
 * Owns what the operator does with programs: each act is one transaction with its entry, and whoever is put out hears no
 * more and ends what they began. A token leaves this file once, when it is made.
 */
import {
  type AddProgram,
  type ChangeProgram,
  CountersignError,
  type KnownProgram,
  type OperatorId,
  PeerLimits,
  type ProgramChanged,
  type ProgramToken,
  programRequester,
  usualPeerLimits,
} from '@countersign/contract'
import type { Kernel, RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'
import type { z } from 'zod'
import { endWorkOf } from '../channels/end-work.ts'
import type { ActingOperator } from '../server/secrets.ts'
import type { OpenStreams } from './open-streams.ts'
import { lockedProgram, programsIn, unknownProgram } from './program-rows.ts'
import { programDb } from './tables.ts'
import { endOfToken, hashOfToken, newToken } from './token.ts'

export interface ProgramAdminParts {
  readonly kernel: Pick<Kernel, 'records' | 'stopRun'>
  readonly operator: OperatorId
  readonly zone: string
  readonly streams: Pick<OpenStreams, 'end'>
  /** Refuses the name of an agent that there is not. */
  readonly requireAgent: (id: string) => Promise<unknown>
}

export interface ProgramAdmin {
  list(): Promise<KnownProgram[]>
  add(by: ActingOperator, program: AddedProgram): Promise<ProgramToken>
  change(by: ActingOperator, name: string, change: ChangeProgram): Promise<ProgramChanged>
  rotate(by: ActingOperator, name: string): Promise<ProgramToken>
  remove(by: ActingOperator, name: string): Promise<number>
}

type AddedProgram = z.output<typeof AddProgram>

const mostPrograms = 50

export function createProgramAdmin(parts: ProgramAdminParts): ProgramAdmin {
  const { kernel, operator, zone, streams } = parts

  async function putOut(name: string, by: ActingOperator): Promise<void> {
    streams.end(name)
    await endWorkOf(kernel, operator, programRequester(name), by.actor)
  }

  async function requireAgents(agents: readonly string[] | undefined): Promise<void> {
    for (const agent of agents ?? []) await parts.requireAgent(agent)
  }

  return {
    list: () => kernel.records.read(operator, (tx) => programsIn(tx, zone)),
    async add(by, program) {
      await requireAgents(program.agents)
      const token = newToken()
      return { ...(await changed(parts, by, program.name, (tx) => add(tx, by, program, token))), token }
    },
    async change(by, name, change) {
      await requireAgents(change.agents)
      const done = await changed(parts, by, name, (tx) => alter(tx, by, name, change))
      if (change.paused === true) await putOut(name, by)
      return done
    },
    async rotate(by, name) {
      const token = newToken()
      const done = await changed(parts, by, name, (tx) => rotate(tx, by, name, token))
      // Whoever has the old token hears nothing more; what was begun goes on.
      streams.end(name)
      return { ...done, token }
    },
    async remove(by, name) {
      const { ledger } = await kernel.records.change(by.operator, (tx) => remove(tx, by, name))
      await putOut(name, by)
      return ledger
    },
  }
}

async function changed(
  { kernel, zone }: ProgramAdminParts,
  by: ActingOperator,
  name: string,
  work: (tx: RecordTransaction) => Promise<void>,
): Promise<ProgramChanged> {
  const { value, ledger } = await kernel.records.change(by.operator, async (tx) => {
    await work(tx)
    tx.emit({ type: 'channels.changed' })
    const [program] = await programsIn(tx, zone, name)
    if (!program) throw unknownProgram(name)
    return program
  })
  return { program: value, ledger }
}

async function add(
  tx: RecordTransaction,
  { actor }: ActingOperator,
  { name, agents, role, private: hears, limits: given }: AddedProgram,
  token: string,
): Promise<void> {
  await requireRoom(tx)
  const limits = PeerLimits.parse({ ...usualPeerLimits, ...given })
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
      created_by: actor.id,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.columns(['operator_id', 'name']).doNothing())
    .returning('name')
    .executeTakeFirst()
  if (!row)
    throw new CountersignError('conflict', `There is a program ${name} already.`, {
      next: `Choose another name, or give it another token with \`countersign program rotate ${name}\`.`,
    })
  tx.record({ type: 'program.added', actor, data: { name, agents, role, private: hears, limits } })
}

async function alter(
  tx: RecordTransaction,
  { actor }: ActingOperator,
  name: string,
  change: ChangeProgram,
): Promise<void> {
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
  tx.record({ type: actOf(change), actor, data })
}

async function rotate(
  tx: RecordTransaction,
  { actor }: ActingOperator,
  name: string,
  token: string,
): Promise<void> {
  await lockedProgram(tx, name)
  await programDb(tx.db)
    .updateTable('programs')
    .set({ token_hash: hashOfToken(token), token_end: endOfToken(token) })
    .where('name', '=', name)
    .execute()
  tx.record({ type: 'program.rotated', actor, data: { name } })
}

async function remove(tx: RecordTransaction, { actor }: ActingOperator, name: string): Promise<void> {
  await lockedProgram(tx, name)
  const db = programDb(tx.db)
  // Another of this name is a stranger, and is led into nothing that was said to this one.
  await db.deleteFrom('program_questions').where('program', '=', name).execute()
  await db.deleteFrom('program_conversations').where('program', '=', name).execute()
  await db.deleteFrom('programs').where('name', '=', name).execute()
  tx.record({ type: 'program.revoked', actor, data: { name } })
  tx.emit({ type: 'channels.changed' })
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
