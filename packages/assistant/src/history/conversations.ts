/**
 * Owns what this room may do to the sessions of the kernel: hold one, say how far it is archived, name it, and make one
 * of messages that were written elsewhere. Refuses to make anything that could run: what is made has ended.
 */
import { idFrom, joinLabels, type Label, noteLabel, type RunId, type SessionId } from '@countersign/contract'
import type { Work } from '@countersign/kernel'
import type { Hand } from '../hand.ts'
import { historyDb } from './tables.ts'

export interface HeldSession {
  readonly id: SessionId
  readonly title: string
  readonly label: Label
  readonly work: Work | null
  readonly archivedTo: number
  readonly updatedAt: Date
  readonly createdAt: Date
}

export interface PlantedMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly label: Label
  readonly at: Date
}

export interface PlantedSession {
  readonly title: string
  readonly label: Label
  readonly work: Work | null
  readonly agent: string
  readonly goal: string | null
  readonly messages: readonly PlantedMessage[]
  /** How many of them, from the first, are archived. */
  readonly archived: number
  /** Who had it made, and what the run that holds the messages says of itself. */
  readonly by: string
  readonly because: string
}

export interface Planted {
  readonly session: SessionId
  readonly run: RunId
  /** The places of its messages, in order. */
  readonly positions: readonly number[]
}

export interface Conversations {
  /** Holds the session to the end of the transaction: two who archive it come one after the other. */
  hold(hand: Hand, session: SessionId): Promise<HeldSession | undefined>
  /** Whether work goes on in it, but for the run that is just beginning or ending. */
  isBusy(hand: Hand, session: SessionId, except: RunId | null): Promise<boolean>
  archiveTo(hand: Hand, session: SessionId, position: number): Promise<void>
  rename(hand: Hand, session: SessionId, title: string): Promise<void>
  /** A new session whose messages belong to one run that is over. */
  plant(hand: Hand, planted: PlantedSession): Promise<Planted>
}

const rowsAtOnce = 500

export function createConversations(uuid: () => string): Conversations {
  return {
    async hold(hand, session) {
      const row = await hand.db
        .selectFrom('sessions')
        .select(['id', 'title', 'label', 'work', 'archived_to', 'updated_at', 'created_at'])
        .where('id', '=', session)
        // Leaves those alone who only refer to the session, as a message does.
        .forNoKeyUpdate()
        .executeTakeFirst()
      return (
        row && {
          id: row.id,
          title: row.title,
          label: row.label,
          work: row.work,
          archivedTo: row.archived_to,
          updatedAt: row.updated_at,
          createdAt: row.created_at,
        }
      )
    },
    async isBusy(hand, session, except) {
      const running = await hand.db
        .selectFrom('runs')
        .select('id')
        .where('session_id', '=', session)
        .where('state', '<>', 'stopped')
        .$if(except !== null, (query) => query.where('id', '<>', except as RunId))
        .limit(1)
        .executeTakeFirst()
      return running !== undefined
    },
    async archiveTo(hand, session, position) {
      await hand.db.updateTable('sessions').set({ archived_to: position }).where('id', '=', session).execute()
    },
    async rename(hand, session, title) {
      await hand.db
        .updateTable('sessions')
        .set({ title: storable(title) })
        .where('id', '=', session)
        .execute()
    },
    plant: (hand, planted) => plant(hand, planted, uuid),
  }
}

async function plant(hand: Hand, planted: PlantedSession, uuid: () => string): Promise<Planted> {
  const { operator, now } = hand
  const db = historyDb(hand.db)
  const session = idFrom('ses', uuid())
  const run = idFrom('run', uuid())
  const input = idFrom('inp', uuid())
  const label = JSON.stringify(planted.label)
  await db
    .insertInto('sessions')
    .values({
      operator_id: operator,
      id: session,
      title: storable(planted.title),
      created_at: now,
      updated_at: now,
      active_run_id: null,
      label,
      work: planted.work && JSON.stringify(planted.work),
    })
    .execute()
  // A message belongs to a run and a run to an input; these are the least that there can be, and both are over.
  await db
    .insertInto('inputs')
    .values({
      operator_id: operator,
      id: input,
      session_id: session,
      run_id: run,
      key: `planted:${session}`,
      mode: 'queue',
      text: planted.because,
      requester: JSON.stringify({ kind: 'operator', id: planted.by }),
      state: 'done',
      created_at: now,
      label: JSON.stringify(joinLabels(planted.label, noteLabel)),
    })
    .execute()
  await db
    .insertInto('runs')
    .values({
      operator_id: operator,
      id: run,
      session_id: session,
      input_id: input,
      kind: 'agent',
      state: 'stopped',
      reason: 'completed',
      message: planted.because,
      turn: planted.messages.filter(({ role }) => role === 'assistant').length,
      label,
      started_at: now,
      ended_at: now,
      agent: planted.agent,
      goal: planted.goal,
    })
    .execute()
  const positions: number[] = []
  let turn = 0
  const rows = planted.messages.map((message) => {
    if (message.role === 'assistant') turn += 1
    return {
      operator_id: operator,
      session_id: session,
      run_id: run,
      turn,
      role: message.role,
      text: storable(message.text),
      label: JSON.stringify(message.label),
      at: message.at,
    }
  })
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const made = await db
      .insertInto('messages')
      .values(rows.slice(from, from + rowsAtOnce))
      .returning('position')
      .execute()
    positions.push(...made.map(({ position }) => position))
  }
  const archived = positions[planted.archived - 1]
  if (archived !== undefined)
    await db.updateTable('sessions').set({ archived_to: archived }).where('id', '=', session).execute()
  return { session, run, positions }
}

/** The database's text cannot hold the zero character, nor half a character. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
