/** Owns the routes of the ledger as people read it: a page of entries with their sentences, and one entry whole. */
import { AskLedger, LedgerEntryDetail, LedgerPage } from '@countersign/contract'
import type { LedgerViews } from '@countersign/views'
import { z } from '@hono/zod-openapi'
import { type App, route } from './route.ts'

export function addLedgerRoutes(app: App, ledger: LedgerViews): void {
  app.openapi(
    route('get', '/v1/ledger', 'Entries that answer a query, the newest first.', LedgerPage, {
      query: AskLedger,
    }),
    async (context) =>
      context.json(await ledger.page(context.get('speaker').operator, context.req.valid('query')), 200),
  )
  app.openapi(
    route('get', '/v1/ledger/{seq}', 'One entry with its exact text and what signs it.', LedgerEntryDetail, {
      params: z.object({ seq: z.coerce.number().int().positive() }),
    }),
    async (context) =>
      context.json(await ledger.entry(context.get('speaker').operator, context.req.valid('param').seq), 200),
  )
}
