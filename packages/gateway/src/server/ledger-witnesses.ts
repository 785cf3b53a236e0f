/** Owns the routes by which devices witness the ledger, and by which the operator clears its alarm. */
import { ledgerRoutes } from '@countersign/contract/routes'
import type { Witnessing } from '../witnesses/witnessing.ts'
import { type App, receipt, route } from './route.ts'

export function addLedgerWitnessRoutes(app: App, witnessing: Witnessing): void {
  app.openapi(route(ledgerRoutes.ledgerHead), async (context) =>
    context.json(
      await witnessing.head(context.get('speaker').operator, context.req.valid('query').from),
      200,
    ),
  )
  app.openapi(route(ledgerRoutes.ledgerWitnesses), async (context) =>
    context.json(await witnessing.list(context.get('speaker').operator), 200),
  )
  app.openapi(route(ledgerRoutes.reportSeenHead), async (context) => {
    const { operator, device } = context.get('speaker')
    await witnessing.saw(operator, device, context.req.valid('json'))
    return context.json(receipt(0), 200)
  })
  app.openapi(route(ledgerRoutes.complainOfLedger), async (context) => {
    const { operator, device } = context.get('speaker')
    return context.json(
      { result: await witnessing.complain(operator, device, context.req.valid('json')) },
      200,
    )
  })
  app.openapi(route(ledgerRoutes.clearLedgerAlarms), async (context) =>
    context.json(receipt(await witnessing.clear(context.get('speaker'), context.req.valid('json'))), 200),
  )
}
