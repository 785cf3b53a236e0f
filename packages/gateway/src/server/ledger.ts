/** Owns the routes of the ledger as people read it: a page of entries with their sentences, and one entry whole. */
import { ledgerRoutes } from '@countersign/contract/routes'
import type { LedgerViews } from '@countersign/views'
import { type App, languageFor, route } from './route.ts'

export function addLedgerRoutes(app: App, ledger: LedgerViews): void {
  app.openapi(route(ledgerRoutes.ledger), async (context) =>
    context.json(
      await ledger.page(context.get('speaker').operator, context.req.valid('query'), languageFor(context)),
      200,
    ),
  )
  app.openapi(route(ledgerRoutes.ledgerEntry), async (context) =>
    context.json(
      await ledger.entry(
        context.get('speaker').operator,
        context.req.valid('param').seq,
        languageFor(context),
      ),
      200,
    ),
  )
}
