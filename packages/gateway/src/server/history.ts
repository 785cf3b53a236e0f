/** Owns the routes of conversations: as people see them, those that ended, and their copies and files. */
import {
  ConversationExport,
  EpisodeView,
  ForkSession,
  ImportSession,
  type OperatorId,
  Receipt,
  RenameSession,
  SessionArchived,
  SessionId,
  SessionMade,
  Thread,
  Timeframe,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from '@hono/zod-openapi'
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
    /** The number of its ledger entry. */
    rename(operator: OperatorId, session: SessionId, title: string, actor: Actor): Promise<number>
    exported(operator: OperatorId, session: SessionId): Promise<ConversationExport>
    imported(operator: OperatorId, imported: ImportSession, actor: Actor): Promise<SessionMade>
  }
}

const one = { params: z.object({ id: SessionId }) }

export function addHistoryRoutes(app: App, { history }: HistoryParts): void {
  app.openapi(
    route('get', '/v1/sessions/{id}/thread', 'The thread of a session, one page at a time.', Thread, {
      ...one,
      query: z.object({
        before: z.coerce.number().int().min(1).optional(),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
    }),
    async (context) => {
      const { operator } = context.get('speaker')
      const { before, limit } = context.req.valid('query')
      const page = { limit, ...(before === undefined ? {} : { before }) }
      return context.json(await history.thread(operator, context.req.valid('param').id, page), 200)
    },
  )
  app.openapi(
    route('post', '/v1/sessions/{id}/fork', 'Copies a session up to a message.', SessionMade, {
      ...one,
      body: ForkSession,
    }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await history.fork(operator, id, context.req.valid('json'), actor), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/sessions/{id}/archive',
      'Archives the conversation: models then see a summary.',
      SessionArchived,
      one,
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await history.archive(operator, context.req.valid('param').id, actor), 200)
    },
  )
  app.openapi(
    route('put', '/v1/sessions/{id}/title', 'Renames a session.', Receipt, {
      ...one,
      body: RenameSession,
    }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { title } = context.req.valid('json')
      const entry = await history.rename(operator, context.req.valid('param').id, title, actor)
      return context.json(receipt(entry), 200)
    },
  )
  app.openapi(
    route(
      'get',
      '/v1/sessions/{id}/export',
      'The messages of a session as a file, without secrets.',
      ConversationExport,
      one,
    ),
    async (context) => {
      const { operator } = context.get('speaker')
      return context.json(await history.exported(operator, context.req.valid('param').id), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/session-imports',
      'Imports a session from such a file. Its content is untrusted unless the operator vouches for it.',
      SessionMade,
      { body: ImportSession },
    ),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await history.imported(operator, context.req.valid('json'), actor), 200)
    },
  )
  app.openapi(
    route('get', '/v1/episodes', 'Searches archived conversations.', z.array(EpisodeView), {
      query: z.object({
        query: z.string().trim().min(1).max(500),
        timeframe: Timeframe.default('all'),
        limit: z.coerce.number().int().min(1).max(5).default(5),
      }),
    }),
    async (context) => {
      const { operator } = context.get('speaker')
      const { query: text, timeframe, limit } = context.req.valid('query')
      return context.json(await history.search(operator, { text, timeframe, limit }), 200)
    },
  )
}
