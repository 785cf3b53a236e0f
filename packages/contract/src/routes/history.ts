/** Owns the table of the routes of messages and conversations. */
import { z } from 'zod'
import { AdmissionReply, Receipt, SendMessage, SessionDetail, SessionView } from '../api.ts'
import {
  ConversationExport,
  EpisodeView,
  ForkSession,
  ImportSession,
  MarkSession,
  RenameSession,
  SessionArchived,
  SessionCleared,
  SessionMade,
  Thread,
  Timeframe,
} from '../api-history.ts'
import { SessionId } from '../ids.ts'
import { define } from './define.ts'

const one = { params: z.object({ id: SessionId }) }

export const historyRoutes = {
  send: define(
    'post',
    '/v1/messages',
    'Sends a message; the run it starts belongs to the gateway.',
    AdmissionReply,
    { body: SendMessage },
  ),
  sessions: define('get', '/v1/sessions', 'Sessions, newest first.', z.array(SessionView)),
  session: define('get', '/v1/sessions/{id}', 'One session with its messages and runs.', SessionDetail, one),
  thread: define('get', '/v1/sessions/{id}/thread', 'The thread of a session, one page at a time.', Thread, {
    ...one,
    query: z.object({
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
  }),
  forkSession: define('post', '/v1/sessions/{id}/fork', 'Copies a session up to a message.', SessionMade, {
    ...one,
    body: ForkSession,
  }),
  archiveSession: define(
    'post',
    '/v1/sessions/{id}/archive',
    'Archives the conversation: models then see a summary.',
    SessionArchived,
    one,
  ),
  clearSession: define(
    'post',
    '/v1/sessions/{id}/clear',
    'Erases what was said and done in a conversation, which goes on. The ledger keeps the beginning of it, so that it can be verified.',
    SessionCleared,
    one,
  ),
  renameSession: define('put', '/v1/sessions/{id}/title', 'Renames a session.', Receipt, {
    ...one,
    body: RenameSession,
  }),
  markSession: define(
    'patch',
    '/v1/sessions/{id}',
    'Pins a session, hides it from lists, keeps metadata with it, or gives its agent extra tools there.',
    Receipt,
    {
      ...one,
      body: MarkSession,
    },
  ),
  removeSession: define(
    'delete',
    '/v1/sessions/{id}',
    'Deletes a conversation with everything that was said and done in it. The ledger keeps the beginning of it, so that it can be verified.',
    Receipt,
    one,
  ),
  exportSession: define(
    'get',
    '/v1/sessions/{id}/export',
    'The messages of a session as a file, without secrets.',
    ConversationExport,
    one,
  ),
  importSession: define(
    'post',
    '/v1/session-imports',
    'Imports a session from such a file. Its content is untrusted unless the operator vouches for it.',
    SessionMade,
    { body: ImportSession },
  ),
  searchHistory: define('get', '/v1/episodes', 'Searches archived conversations.', z.array(EpisodeView), {
    query: z.object({
      query: z.string().trim().min(1).max(500),
      timeframe: Timeframe.default('all'),
      limit: z.coerce.number().int().min(1).max(5).default(5),
    }),
  }),
}
