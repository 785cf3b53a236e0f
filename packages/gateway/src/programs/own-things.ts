/** Owns what a program may look at: its own conversations, what it asked in them and how that stands. Nothing of anybody else's. */
import { confidentialityOrder, programRequester, type SessionId } from '@countersign/contract'
import type { RecordTransaction } from '@countersign/kernel'
import { sql } from 'kysely'
import type { Program } from './program-rows.ts'
import { hears, type Standing, standingOf } from './standing.ts'
import { programDb } from './tables.ts'
import { questionId, sound } from './wish.ts'

export interface OwnConversation {
  readonly id: SessionId
  /** The beginning of what was asked first. */
  readonly title: string
  readonly updatedAt: string
}

export interface OwnMatch {
  readonly conversation: SessionId
  readonly said: 'user' | 'assistant'
  readonly at: string
  readonly text: string
}

export interface OwnQuestion {
  readonly id: string
  readonly conversation: SessionId
  readonly at: string
  readonly standing: Standing
}

const mostShown = 50
const longestExcerpt = 400
const longestTitle = 100

export async function ownConversations(
  { db }: RecordTransaction,
  { name }: Program,
): Promise<OwnConversation[]> {
  const rows = await programDb(db)
    .selectFrom('program_conversations')
    .innerJoin('sessions', 'sessions.id', 'program_conversations.session_id')
    .select(({ selectFrom }) => [
      'sessions.id',
      'sessions.updated_at',
      // What it is called is for the operator to say, and for nobody else to read.
      selectFrom('messages')
        .select(sql<string>`left(messages.text, ${longestTitle})`.as('text'))
        .whereRef('messages.session_id', '=', 'sessions.id')
        .where('messages.role', '=', 'user')
        .orderBy('messages.position')
        .limit(1)
        .as('began'),
    ])
    .where('program_conversations.program', '=', name)
    .where('sessions.removed_at', 'is', null)
    .orderBy('sessions.updated_at', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map(({ id, began, updated_at }) => ({
    id,
    title: (began ?? '').toWellFormed(),
    updatedAt: updated_at.toISOString(),
  }))
}

/** Messages in which all of these words stand, the newest first. What the program may not hear is not looked at. */
export async function searchOwn(
  { db }: RecordTransaction,
  program: Program,
  query: string,
): Promise<OwnMatch[]> {
  const heard = confidentialityOrder.filter((confidentiality) =>
    hears(program, { integrity: 'operator', confidentiality, sources: [] }),
  )
  const words = sound(query)
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 10)
  if (words.length === 0) return []
  const rows = await programDb(db)
    .selectFrom('messages')
    .innerJoin('program_conversations', 'program_conversations.session_id', 'messages.session_id')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .innerJoin('runs', 'runs.id', 'messages.run_id')
    .innerJoin('inputs', 'inputs.id', 'runs.input_id')
    .select(['messages.session_id', 'messages.role', 'messages.at', 'messages.text'])
    .where('program_conversations.program', '=', program.name)
    // The operator may write in the same conversation: that was not said to the program.
    .where(sql`inputs.requester->>'id'`, '=', programRequester(program.name))
    // Whoever steers a run writes into it: what it began with is the program's, and no later words are.
    .where(({ eb, or, not, exists, selectFrom }) =>
      or([
        eb('messages.role', '=', 'assistant'),
        not(
          exists(
            selectFrom('messages as earlier')
              .select('earlier.position')
              .whereRef('earlier.run_id', '=', 'messages.run_id')
              .where('earlier.role', '=', 'user')
              .whereRef('earlier.position', '<', 'messages.position'),
          ),
        ),
      ]),
    )
    .where('sessions.removed_at', 'is', null)
    .where(({ and }) =>
      and(
        words.map((word) => sql<boolean>`messages.text ilike ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`),
      ),
    )
    .where(sql`runs.label->>'confidentiality'`, 'in', heard)
    .orderBy('messages.at', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map(({ session_id: conversation, role, at, text }) => ({
    conversation,
    said: role,
    at: at.toISOString(),
    text: excerpt(text, words[0] ?? ''),
  }))
}

function excerpt(text: string, word: string): string {
  const at = Math.max(text.toLowerCase().indexOf(word.toLowerCase()) - longestExcerpt / 4, 0)
  return text.slice(at, at + longestExcerpt).toWellFormed()
}

/** What it asked and was not told the end of. */
export async function ownWaiting(tx: RecordTransaction, program: Program): Promise<OwnQuestion[]> {
  const rows = await programDb(tx.db)
    .selectFrom('program_questions')
    .select(['id', 'session_id', 'at', 'input_key'])
    .where('program', '=', program.name)
    .where('told', '<>', 'end')
    .where('input_key', 'is not', null)
    .orderBy('position', 'desc')
    .limit(mostShown)
    .execute()
  const waiting: OwnQuestion[] = []
  for (const row of rows) {
    const standing = await standingOf(tx, program, row.input_key ?? '')
    if (standing.kind === 'ended') continue
    waiting.push({ id: row.id, conversation: row.session_id, at: row.at.toISOString(), standing })
  }
  return waiting
}

/** Undefined where the program asked nothing under this id. */
export async function ownQuestion(
  tx: RecordTransaction,
  program: Program,
  id: string,
): Promise<(OwnQuestion & { readonly agent: string }) | undefined> {
  if (!questionId.test(id)) return undefined
  const row = await programDb(tx.db)
    .selectFrom('program_questions')
    .select(['id', 'session_id', 'at', 'input_key', 'agent'])
    .where('program', '=', program.name)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const key = row.input_key ?? (await keyBefore(tx, row.session_id, row.at))
  const standing = await standingOf(tx, program, key)
  return { id, conversation: row.session_id, at: row.at.toISOString(), standing, agent: row.agent }
}

/** What a question that was not taken was told about. */
async function keyBefore({ db }: RecordTransaction, session: SessionId, at: Date): Promise<string> {
  const row = await programDb(db)
    .selectFrom('program_questions')
    .select('input_key')
    .where('session_id', '=', session)
    .where('input_key', 'is not', null)
    .where('at', '<=', at)
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return row?.input_key ?? ''
}
