/** Owns the routes of the ledger as people read it: a page of entries with their sentences, and one entry whole. */
import type { OperatorId, OversightDay } from '@countersign/contract'
import { ledgerRoutes } from '@countersign/contract/routes'
import type { LedgerViews } from '@countersign/views'
import { type App, languageFor, route } from './route.ts'

/** What was done and asked on each of the last days. */
export type DaysView = (operator: OperatorId, days: number) => Promise<OversightDay[]>

export function addLedgerRoutes(app: App, ledger: LedgerViews, days: DaysView): void {
  app.openapi(route(ledgerRoutes.ledger), async (context) =>
    context.json(
      await ledger.page(context.get('speaker').operator, context.req.valid('query'), languageFor(context)),
      200,
    ),
  )
  app.openapi(route(ledgerRoutes.oversightDays), async (context) =>
    context.json(await days(context.get('speaker').operator, context.req.valid('query').days), 200),
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
