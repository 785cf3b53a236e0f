/**
 * Owns where a question of a program belongs: a retry is the question that it repeats, and any other is a row in the
 * conversation that it goes on with, within the limits of the program. Written before anything is admitted.
 */
import {
  CountersignError,
  idFrom,
  type OperatorId,
  programRequester,
  type SessionId,
} from '@countersign/contract'
import type { RecordTransaction, RecordTransactions } from '@countersign/kernel'
import { sql } from 'kysely'
import { limitOf } from '../channels/judge-message.ts'
import { spentToday } from '../channels/spent-today.ts'
import type { Program } from './program-rows.ts'
import { isOpen, type Standing, standingOf } from './standing.ts'
import { programDb, proposalAgent } from './tables.ts'
import { historyHash, questionId, type Wish } from './wish.ts'

export interface PlacedQuestion {
  readonly id: string
  readonly session: SessionId
  readonly at: Date
  /** Under which it is admitted; null where it is not, since an earlier one waits for the operator. */
  readonly inputKey: string | null
  /** The conversation begins with it. */
  readonly opens: boolean
  /** The one before it, of whose end the program was not told. */
  readonly before: { readonly id: string; readonly inputKey: string } | null
}

export interface PlacingParts {
  readonly kernel: { readonly records: Pick<RecordTransactions, 'change'> }
  readonly operator: OperatorId
  readonly zone: string
  readonly uuid: () => string
}

const hourMs = 60 * 60_000
const minuteMs = 60_000
const mostUnpriced = 4

export async function placeQuestion(
  parts: PlacingParts,
  program: Program,
  wish: Wish,
): Promise<PlacedQuestion> {
  const { value } = await parts.kernel.records.change(parts.operator, async (tx) => {
    await takeTurn(tx, program.name)
    const known = await repeated(tx, program, wish)
    if (known && !(await isToBegin(tx, known))) return known
    await requireWithin(tx, program, parts.zone, known?.id)
    await requireFewUnpriced(tx, program, known?.id)
    return known ?? write(tx, parts, program, wish)
  })
  return value
}

/** One question of a program after the other, so that a retry sees what it repeats. */
export async function takeTurn({ db, operator }: RecordTransaction, program: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`program/${operator}/${program}`}))`.execute(db)
}

async function repeated(
  tx: RecordTransaction,
  program: Program,
  wish: Wish,
): Promise<PlacedQuestion | undefined> {
  const questions = programDb(tx.db)
    .selectFrom('program_questions')
    .select(['id', 'session_id', 'at', 'input_key', 'position', 'body_hash'])
    .where('program', '=', program.name)
  const row =
    wish.retryKey === null
      ? await questions
          .where('body_hash', '=', wish.bodyHash)
          // What was answered may be asked again in the same words.
          .$if(!wish.isRetry, (query) => query.where('told', '=', 'no'))
          .where('at', '>', new Date(tx.now.getTime() - hourMs))
          .orderBy('position', 'desc')
          .executeTakeFirst()
      : await questions.where('retry_key', '=', wish.retryKey).executeTakeFirst()
  if (!row) return undefined
  if (row.body_hash !== wish.bodyHash)
    throw new CountersignError('usage', 'Another question was asked under this Idempotency-Key.', {
      next: 'Use a new key for each question.',
    })
  const isFirst = await isFirstIn(tx, row.session_id, row.position)
  const { id, session_id: session, at, input_key: inputKey } = row
  return { id, session, at, inputKey, opens: isFirst, before: await untoldBefore(tx, session, row.position) }
}

async function isFirstIn({ db }: RecordTransaction, session: SessionId, position: number): Promise<boolean> {
  const earlier = await programDb(db)
    .selectFrom('program_questions')
    .select('id')
    .where('session_id', '=', session)
    .where('position', '<', position)
    .executeTakeFirst()
  return earlier === undefined
}

/** It was placed and never came to a run, so the limits of now hold for it and not those of then. */
async function isToBegin({ db }: RecordTransaction, { inputKey }: PlacedQuestion): Promise<boolean> {
  if (inputKey === null) return false
  const admitted = await db.selectFrom('inputs').select('id').where('key', '=', inputKey).executeTakeFirst()
  return admitted === undefined
}

/** Throws where the program may not ask now. A question that was placed before is not counted twice. */
export async function requireWithin(
  tx: RecordTransaction,
  program: Program,
  zone: string,
  placed = '',
): Promise<void> {
  const db = programDb(tx.db)
  const { asked } = await db
    .selectFrom('program_questions')
    .select(sql<number>`count(*)::int`.as('asked'))
    .where('program', '=', program.name)
    .where('at', '>', new Date(tx.now.getTime() - hourMs))
    .where('id', '<>', placed)
    .executeTakeFirstOrThrow()
  const used = { ...(await spentToday(tx, programRequester(program.name), zone)), inLastHour: asked + 1 }
  const told = limitOf(program, used)
  if (told !== undefined)
    throw new CountersignError(
      used.spentUsd >= program.limits.dailyUsd ? 'budget_exceeded' : 'limit_reached',
      told,
      { next: `The operator can change this: \`countersign program limit ${program.name}\`.` },
    )
  await db
    .updateTable('programs')
    .set({ last_used_at: tx.now })
    .where('name', '=', program.name)
    .where(({ eb, or }) =>
      or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(tx.now.getTime() - minuteMs))]),
    )
    .execute()
}

/** What was asked and costs nothing yet is in no sum, so that only so much of it may be under way. */
async function requireFewUnpriced(
  { db, now, operator }: RecordTransaction,
  { name }: Program,
  placed = '',
): Promise<void> {
  const { rows } = await sql<{ unpriced: number }>`
    select count(*)::int as unpriced from program_questions q
      left join inputs i on i.operator_id = q.operator_id and i.key = q.input_key
      left join runs r on r.input_id = i.id
    where q.operator_id = ${operator} and q.program = ${name} and q.id <> ${placed}
      and q.told <> 'end' and q.agent <> ${proposalAgent} and q.input_key is not null
      and (i.id is not null or q.at > ${new Date(now.getTime() - minuteMs)})
      and (r.id is null or (r.state <> 'stopped' and not exists (select 1 from model_calls m where m.run_id = r.id)))
    `.execute(db)
  if ((rows[0]?.unpriced ?? 0) >= mostUnpriced)
    throw new CountersignError('limit_reached', `${mostUnpriced} questions have not begun yet.`, {
      next: 'Ask again in a moment.',
    })
}

async function write(
  tx: RecordTransaction,
  { uuid }: PlacingParts,
  program: Program,
  wish: Wish,
): Promise<PlacedQuestion> {
  const known = await conversationOf(tx, program, wish)
  const session = known ?? idFrom('ses', uuid())
  if (known === undefined) await begin(tx, program, wish, session)
  const last = known === undefined ? undefined : await lastIn(tx, program, known)
  const isHeld = last?.standing.kind === 'waits'
  const id = uuid().replaceAll('-', '')
  const inputKey = isHeld ? null : `program/${program.name}/${id}`
  const row = await programDb(tx.db)
    .insertInto('program_questions')
    .values({
      operator_id: tx.operator,
      program: program.name,
      id,
      session_id: session,
      body_hash: wish.bodyHash,
      retry_key: wish.retryKey,
      agent: wish.agent,
      input_key: inputKey,
      after_hash: null,
      told: 'no',
      at: tx.now,
    })
    .returning('position')
    .executeTakeFirstOrThrow()
  const before = await untoldBefore(tx, session, row.position)
  return { id, session, at: tx.now, inputKey, opens: known === undefined, before }
}

/** Undefined where it begins one. */
async function conversationOf(
  tx: RecordTransaction,
  program: Program,
  wish: Wish,
): Promise<SessionId | undefined> {
  const session = await foundConversation(tx, program, wish)
  return session !== undefined && (await isOpen(tx, session)) ? session : undefined
}

async function foundConversation(
  tx: RecordTransaction,
  { name }: Program,
  wish: Wish,
): Promise<SessionId | undefined> {
  const db = programDb(tx.db)
  const questions = db
    .selectFrom('program_questions')
    .select(['session_id', 'position'])
    .where('program', '=', name)
  if (wish.after !== null) {
    const followed = questionId.test(wish.after)
      ? await questions
          .where('id', '=', wish.after)
          // Nobody talks where a call was proposed: the operator sees no such conversation.
          .where('agent', '<>', proposalAgent)
          .executeTakeFirst()
      : undefined
    if (followed) return followed.session_id
    throw new CountersignError('not_found', 'There is no such earlier response of this program.')
  }
  const keyed = async (key: string) => {
    const row = await db
      .selectFrom('program_conversations')
      .select('session_id')
      .where('program', '=', name)
      .where('key', '=', key)
      .executeTakeFirst()
    return row?.session_id
  }
  if (wish.conversation !== null) {
    const named = await keyed(namedKey(wish))
    return named ?? (await ownSession(tx, name, wish.conversation))
  }
  // Without a history it is a beginning, whoever asks.
  if (wish.history.length === 0) return undefined
  const before = await questions
    .where('after_hash', '=', historyHash(name, wish.person, wish.history))
    .orderBy('position', 'desc')
    .executeTakeFirst()
  if (before && (await isNewest(tx, before))) return before.session_id
  // Somebody who went back in a conversation begins another; one whose history was cut goes on.
  return before === undefined && wish.person !== null ? keyed(namedKey(wish)) : undefined
}

/** By the id with which it was answered. */
async function ownSession(
  { db }: RecordTransaction,
  program: string,
  id: string,
): Promise<SessionId | undefined> {
  const row = await programDb(db)
    .selectFrom('program_conversations')
    .select('session_id')
    .where('program', '=', program)
    .where('session_id', '=', id as SessionId)
    .executeTakeFirst()
  return row?.session_id
}

async function isNewest(
  { db }: RecordTransaction,
  { session_id, position }: { readonly session_id: SessionId; readonly position: number },
): Promise<boolean> {
  const later = await programDb(db)
    .selectFrom('program_questions')
    .select('id')
    .where('session_id', '=', session_id)
    .where('position', '>', position)
    .executeTakeFirst()
  return later === undefined
}

const namedKey = ({ conversation, person }: Wish): string =>
  conversation === null ? `person/${person}` : `named/${conversation}`

async function begin(
  tx: RecordTransaction,
  { name }: Program,
  wish: Wish,
  session: SessionId,
): Promise<void> {
  const key = wish.conversation === null && wish.person === null ? null : namedKey(wish)
  const db = programDb(tx.db)
  // The newest has the name.
  if (key !== null)
    await db
      .updateTable('program_conversations')
      .set({ key: null })
      .where('program', '=', name)
      .where('key', '=', key)
      .execute()
  await db
    .insertInto('program_conversations')
    .values({ operator_id: tx.operator, program: name, session_id: session, key, at: tx.now })
    .execute()
}

async function lastIn(
  tx: RecordTransaction,
  program: Program,
  session: SessionId,
): Promise<{ readonly standing: Standing } | undefined> {
  const row = await programDb(tx.db)
    .selectFrom('program_questions')
    .select('input_key')
    .where('session_id', '=', session)
    .where('input_key', 'is not', null)
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return row?.input_key ? { standing: await standingOf(tx, program, row.input_key) } : undefined
}

async function untoldBefore(
  { db }: RecordTransaction,
  session: SessionId,
  position: number,
): Promise<PlacedQuestion['before']> {
  const row = await programDb(db)
    .selectFrom('program_questions')
    .select(['id', 'input_key'])
    .where('session_id', '=', session)
    .where('position', '<', position)
    .where('told', '<>', 'end')
    .where('input_key', 'is not', null)
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return row?.input_key ? { id: row.id, inputKey: row.input_key } : null
}
