/** The routes of the ledger as people read it: a page of entries with their sentences, and one entry in full. */
import { AskLedger, LedgerEntryDetail, LedgerPage } from '@countersign/contract'
import type { LedgerViews } from '@countersign/views'
import { z } from '@hono/zod-openapi'
import { type App, languageFor, route } from './route.ts'

export function addLedgerRoutes(app: App, ledger: LedgerViews): void {
  app.openapi(
    route('get', '/v1/ledger', 'Entries that match a query, newest first.', LedgerPage, {
      query: AskLedger,
    }),
    async (context) => {
      const { operator } = context.get('speaker')
      const page = await ledger.page(operator, context.req.valid('query'), languageFor(context))
      return context.json(page, 200)
    },
  )
  app.openapi(
    route('get', '/v1/ledger/{seq}', 'One entry with its exact text and its checkpoint.', LedgerEntryDetail, {
      params: z.object({ seq: z.coerce.number().int().positive() }),
    }),
    async (context) => {
      const { operator } = context.get('speaker')
      const entry = await ledger.entry(operator, context.req.valid('param').seq, languageFor(context))
      return context.json(entry, 200)
    },
  )
}
