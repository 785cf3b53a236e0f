/** The part of the typed client that speaks of conversations: as people see them, those that ended, and their files. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  ConversationExport,
  EpisodeView,
  type ForkSession,
  type ImportSession,
  SessionArchived,
  SessionMade,
  Thread,
  type Timeframe,
} from '../api-history.ts'
import { type Call, part, query } from './call.ts'

export function historyCalls(call: Call) {
  const session = (id: string) => `/v1/sessions/${part(id)}`
  return {
    thread: (id: string, page: { before?: string; limit?: string } = {}) =>
      call(Thread, 'GET', `${session(id)}/thread${query(page)}`),
    forkSession: (id: string, fork: ForkSession = {}) =>
      call(SessionMade, 'POST', `${session(id)}/fork`, fork),
    archiveSession: (id: string) => call(SessionArchived, 'POST', `${session(id)}/archive`, {}),
    renameSession: (id: string, title: string) => call(Receipt, 'PUT', `${session(id)}/title`, { title }),
    exportSession: (id: string) => call(ConversationExport, 'GET', `${session(id)}/export`),
    importSession: (imported: z.input<typeof ImportSession>) =>
      call(SessionMade, 'POST', '/v1/session-imports', imported),
    searchHistory: (asked: { query: string; timeframe?: Timeframe; limit?: string }) =>
      call(z.array(EpisodeView), 'GET', `/v1/episodes${query(asked)}`),
  }
}
