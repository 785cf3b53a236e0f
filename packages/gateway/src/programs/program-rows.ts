/** Owns the rows of programs: who one is by its name or its token, and how it is shown. A token is in none of them. */
import {
  CountersignError,
  type KnownProgram,
  PeerLimits,
  type ProgramRole,
  programRequester,
} from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'
import { spentToday } from '../channels/spent-today.ts'
import { putOutError } from './open-streams.ts'
import { programDb } from './tables.ts'

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

/** As it is now, whoever changed it since it was let in; throws where its token counts no more. */
export async function currentProgram(
  tx: Pick<RecordTransaction, 'db'>,
  { name, tokenHash }: Pick<Program, 'name' | 'tokenHash'>,
): Promise<Program> {
  const now = await programWhere(tx, 'name', name)
  if (now === undefined || now.paused || now.tokenHash !== tokenHash) throw putOutError()
  return now
}

export async function programWhere(
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

export async function lockedProgram(tx: RecordTransaction, name: string): Promise<Program> {
  const program = await programWhere(tx, 'name', name, 'update')
  if (program) return program
  throw unknownProgram(name)
}

export function unknownProgram(name: string): CountersignError {
  return new CountersignError('not_found', `There is no program ${name}.`, {
    next: 'See them with `countersign program list`.',
  })
}

export async function programsIn(
  tx: RecordTransaction,
  zone: string,
  only?: string,
): Promise<KnownProgram[]> {
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
