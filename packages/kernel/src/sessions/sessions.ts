/** Changes that the assistant may make to sessions, and nothing that could start a run. */
import type { Label, RunId, SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import { windowLabel } from '../store/session-window.ts'
import { type Db, json, storable, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'
import { eraseWords } from './erase-words.ts'
import { type EndedConversation, type ImportedConversation, importEnded } from './import-ended.ts'

export interface LockedSession {
  readonly id: SessionId
  readonly title: string
  readonly label: Label
  readonly work: Work | null
  readonly archivedTo: number
  readonly updatedAt: Date
  readonly createdAt: Date
  readonly metadata: Readonly<Record<string, string>>
  /** Nothing of it is kept. */
  readonly private: boolean
}

export interface SessionMarks {
  readonly pinned?: boolean | undefined
  readonly hidden?: boolean | undefined
  /** It is never listed again. */
  readonly removed?: true | undefined
  /** It is over: it takes no more messages, and is erased as soon as nothing of it works. */
  readonly ended?: true | undefined
  /** What a program keeps with it: an entry that is null is taken away. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined
  /** Tools that its agent has here besides its own. */
  readonly extraTools?: readonly string[] | undefined
}

/** The sessions of one operator within one transaction. */
export interface Sessions {
  /** Locks the session to the end of the transaction: two who archive it come one after the other. */
  lock(session: SessionId): Promise<LockedSession | undefined>
  /** Whether a run of it is not over, but for the run that is just beginning or ending. */
  isBusy(session: SessionId, except: RunId | null): Promise<boolean>
  /**
   * Messages up to this position are no longer shown to a model, and the session is worth what is left; they stay.
   * Lock the session first.
   */
  archiveTo(session: SessionId, position: number): Promise<void>
  /** The title as it is to be shown: whoever calls has taken secrets out of it. */
  rename(session: SessionId, title: string): Promise<void>
  /** Where a list shows it; what is left out stays as it is. */
  mark(session: SessionId, marks: SessionMarks): Promise<void>
  /**
   * Takes every word of it out of the database but for the ledger, and what waits in it; what stays says that something
   * was done, and not what. Lock the session first. False, and nothing is erased, while something of it works.
   */
  eraseWords(session: SessionId): Promise<boolean>
  /** Makes a session of messages that were written elsewhere. They belong to one run that is over. */
  importEnded(conversation: EndedConversation, uuid: () => string): Promise<ImportedConversation>
}

export function sessionsIn({ db, operator, now }: Pick<Unit, 'db' | 'operator' | 'now'>): Sessions {
  return {
    lock: (session) => lock(db, session),
    async isBusy(session, except) {
      const running = await db
        .selectFrom('runs')
        .select('id')
        .where('session_id', '=', session)
        .where('state', '<>', 'stopped')
        .$if(except !== null, (query) => query.where('id', '<>', except as RunId))
        .limit(1)
        .executeTakeFirst()
      return running !== undefined
    },
    async archiveTo(session, position) {
      await db.updateTable('sessions').set({ archived_to: position }).where('id', '=', session).execute()
      const label = json(await windowLabel(db, session))
      await db.updateTable('sessions').set({ label }).where('id', '=', session).execute()
    },
    async rename(session, title) {
      await db
        .updateTable('sessions')
        .set({ title: storable(title.toWellFormed()) })
        .where('id', '=', session)
        .execute()
    },
    async mark(session, { pinned, hidden, removed, ended, metadata, extraTools }) {
      const moment = (on: boolean) => (on ? now : null)
      await db
        .updateTable('sessions')
        .set({
          ...(pinned === undefined ? {} : { pinned_at: moment(pinned) }),
          ...(hidden === undefined ? {} : { hidden_at: moment(hidden) }),
          ...(removed === undefined ? {} : { removed_at: now, title: '', metadata: '{}' }),
          ...(ended === undefined ? {} : { ends_at: now }),
          ...(extraTools === undefined ? {} : { extra_tools: json(extraTools) }),
          ...(metadata === undefined
            ? {}
            : {
                metadata: sql<string>`jsonb_strip_nulls(metadata || ${storable(JSON.stringify(metadata))}::jsonb)`,
              }),
        })
        .where('id', '=', session)
        .execute()
      if (removed) {
        await db.deleteFrom('unasked').where('session_id', '=', session).execute()
        await db.deleteFrom('grants').where('session_id', '=', session).execute()
      }
    },
    eraseWords: (session) => eraseWords({ db, operator, now }, session),
    importEnded: (conversation, uuid) => importEnded({ db, operator, now }, conversation, uuid),
  }
}

async function lock(db: Db, session: SessionId): Promise<LockedSession | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select([
      'id',
      'title',
      'label',
      'work',
      'archived_to',
      'updated_at',
      'created_at',
      'metadata',
      'private',
    ])
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
      metadata: row.metadata,
      private: row.private,
    }
  )
}
