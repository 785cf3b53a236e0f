/** Owns the routes of calendar accounts. A password goes in; no route gives one out. */
import type { Assistant } from '@countersign/assistant'
import { calendarRoutes } from '@countersign/contract/routes'
import type { CalendarAccounts } from '../calendar/calendar-accounts.ts'
import { type App, route } from './route.ts'

export function addCalendarRoutes(
  app: App,
  accounts: CalendarAccounts,
  sync: Assistant['services']['calendarSync'],
): void {
  app.openapi(route(calendarRoutes.calendarAccounts), async (context) => context.json(await sync.list(), 200))
  app.openapi(route(calendarRoutes.storeCalendarAccount), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await accounts.store(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(calendarRoutes.removeCalendarAccount), async (context) =>
    context.json(await accounts.remove(context.get('speaker'), context.req.valid('param').name), 200),
  )
  app.openapi(route(calendarRoutes.syncCalendarAccount), async (context) =>
    context.json(await sync.syncNow(context.req.valid('param').name), 200),
  )
  app.openapi(route(calendarRoutes.syncConflicts), async (context) =>
    context.json(await sync.conflicts(), 200),
  )
  app.openapi(route(calendarRoutes.settleConflict), async (context) => {
    const { keep } = context.req.valid('json')
    const { ledger } = await sync.settle(context.req.valid('param').id, keep, context.get('speaker').actor)
    return context.json({ ok: true as const, ledger }, 200)
  })
}
