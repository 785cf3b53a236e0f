/** Owns the routes of conversations: as people see them, those that ended, and their copies and files. */
import type {
  ConversationExport,
  EpisodeView,
  ForkSession,
  ImportSession,
  MarkSession,
  OperatorId,
  SessionArchived,
  SessionCleared,
  SessionId,
  SessionMade,
  Thread,
  Timeframe,
} from '@countersign/contract'
import { historyRoutes } from '@countersign/contract/routes'
import type { Actor } from '@countersign/kernel'
import { type App, receipt, route } from './route.ts'

export interface HistoryParts {
  readonly history: {
    thread(
      operator: OperatorId,
      session: SessionId,
      page: { readonly before?: number; readonly limit: number },
    ): Promise<Thread>
    search(
      operator: OperatorId,
      asked: { readonly text: string; readonly timeframe: Timeframe; readonly limit: number },
    ): Promise<EpisodeView[]>
    fork(operator: OperatorId, session: SessionId, wanted: ForkSession, actor: Actor): Promise<SessionMade>
    archive(operator: OperatorId, session: SessionId, actor: Actor): Promise<SessionArchived>
    clear(operator: OperatorId, session: SessionId, actor: Actor): Promise<SessionCleared>
    /** The number of its ledger entry. */
    rename(operator: OperatorId, session: SessionId, title: string, actor: Actor): Promise<number>
    /** The numbers of their ledger entries. */
    mark(operator: OperatorId, session: SessionId, marks: MarkSession, actor: Actor): Promise<number>
    remove(operator: OperatorId, session: SessionId, actor: Actor): Promise<number>
    exported(operator: OperatorId, session: SessionId): Promise<ConversationExport>
    imported(operator: OperatorId, imported: ImportSession, actor: Actor): Promise<SessionMade>
  }
}

export function addHistoryRoutes(app: App, { history }: HistoryParts): void {
  app.openapi(route(historyRoutes.thread), async (context) => {
    const { operator } = context.get('speaker')
    const { before, limit } = context.req.valid('query')
    const page = { limit, ...(before === undefined ? {} : { before }) }
    return context.json(await history.thread(operator, context.req.valid('param').id, page), 200)
  })
  app.openapi(route(historyRoutes.forkSession), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await history.fork(operator, id, context.req.valid('json'), actor), 200)
  })
  app.openapi(route(historyRoutes.archiveSession), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await history.archive(operator, context.req.valid('param').id, actor), 200)
  })
  app.openapi(route(historyRoutes.clearSession), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await history.clear(operator, context.req.valid('param').id, actor), 200)
  })
  app.openapi(route(historyRoutes.renameSession), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { title } = context.req.valid('json')
    const entry = await history.rename(operator, context.req.valid('param').id, title, actor)
    return context.json(receipt(entry), 200)
  })
  app.openapi(route(historyRoutes.markSession), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(receipt(await history.mark(operator, id, context.req.valid('json'), actor)), 200)
  })
  app.openapi(route(historyRoutes.removeSession), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(receipt(await history.remove(operator, context.req.valid('param').id, actor)), 200)
  })
  app.openapi(route(historyRoutes.exportSession), async (context) => {
    const { operator } = context.get('speaker')
    return context.json(await history.exported(operator, context.req.valid('param').id), 200)
  })
  app.openapi(route(historyRoutes.importSession), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await history.imported(operator, context.req.valid('json'), actor), 200)
  })
  app.openapi(route(historyRoutes.searchHistory), async (context) => {
    const { operator } = context.get('speaker')
    const { query: text, timeframe, limit } = context.req.valid('query')
    return context.json(await history.search(operator, { text, timeframe, limit }), 200)
  })
}
