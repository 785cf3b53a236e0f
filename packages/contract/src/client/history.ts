/** The part of the typed client that speaks of conversations: as people see them, those that ended, and their files. */
import type { z } from 'zod'
import type { ForkSession, ImportSession, MarkSession, Timeframe } from '../api-history.ts'
import { historyRoutes } from '../routes/history.ts'
import type { Call } from './call.ts'

export function historyCalls(call: Call) {
  return {
    thread: (id: string, page: { before?: string; limit?: string } = {}) =>
      call(historyRoutes.thread, { params: { id }, query: page }),
    forkSession: (id: string, fork: ForkSession = {}) =>
      call(historyRoutes.forkSession, { params: { id }, body: fork }),
    archiveSession: (id: string) => call(historyRoutes.archiveSession, { params: { id } }),
    clearSession: (id: string) => call(historyRoutes.clearSession, { params: { id } }),
    renameSession: (id: string, title: string) =>
      call(historyRoutes.renameSession, { params: { id }, body: { title } }),
    markSession: (id: string, marks: MarkSession) =>
      call(historyRoutes.markSession, { params: { id }, body: marks }),
    removeSession: (id: string) => call(historyRoutes.removeSession, { params: { id } }),
    exportSession: (id: string) => call(historyRoutes.exportSession, { params: { id } }),
    importSession: (imported: z.input<typeof ImportSession>) =>
      call(historyRoutes.importSession, { body: imported }),
    searchHistory: (asked: { query: string; timeframe?: Timeframe; limit?: string }) =>
      call(historyRoutes.searchHistory, { query: asked }),
  }
}
