/** Owns the routes of money: what was spent, the limits, and whether the bill agrees. An admin key goes in and nowhere out. */
import { CountersignError, dayOf, spanOf } from '@countersign/contract'
import { costRoutes } from '@countersign/contract/routes'
import type { Kernel } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import type { z } from '@hono/zod-openapi'
import type { Reconciler } from '../model-settings/reconcile.ts'
import { type App, receipt, route } from './route.ts'

export interface CostParts {
  readonly views: Pick<Views, 'costs' | 'costDays' | 'costlyRuns' | 'idle' | 'modelCalls'>
  readonly budgets: Pick<Kernel['budgets'], 'list' | 'set' | 'remove' | 'release'>
  readonly reconcile: Reconciler
  readonly clock: () => Date
  /** Where days and months begin. */
  readonly zone: string
}

type Span = z.output<typeof costRoutes.idleSpend.request.query>

export function addCostRoutes(app: App, parts: CostParts): void {
  const { views, budgets, clock, zone } = parts
  const span = (asked: Span) => spanIn(asked, clock(), zone)

  app.openapi(route(costRoutes.costs), async (context) => {
    const { by, ...asked } = context.req.valid('query')
    const { operator } = context.get('speaker')
    return context.json(await views.costs(operator, { ...span(asked), by, zone }), 200)
  })
  app.openapi(route(costRoutes.costDays), async (context) => {
    const { by, ...asked } = context.req.valid('query')
    const { operator } = context.get('speaker')
    return context.json(await views.costDays(operator, { ...span(asked), by, zone }), 200)
  })
  app.openapi(route(costRoutes.costlyRuns), async (context) => {
    const { limit, by, key, ...asked } = context.req.valid('query')
    const { operator } = context.get('speaker')
    return context.json(await views.costlyRuns(operator, { ...span(asked), limit, by, key }), 200)
  })
  app.openapi(route(costRoutes.idleSpend), async (context) =>
    context.json(await views.idle(context.get('speaker').operator, span(context.req.valid('query'))), 200),
  )
  app.openapi(route(costRoutes.liftGuard), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(receipt(await budgets.release(operator, actor)), 200)
  })
  app.openapi(route(costRoutes.reconcile), async (context) => {
    const { provider, adminKey, ...asked } = context.req.valid('json')
    const reconciled = await parts.reconcile(context.get('speaker'), { provider, adminKey, ...span(asked) })
    return context.json(reconciled, 200)
  })
  app.openapi(route(costRoutes.budgets), async (context) =>
    context.json(await budgets.list(context.get('speaker').operator), 200),
  )
  app.openapi(route(costRoutes.setBudget), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await budgets.set(operator, context.req.valid('json'), actor), 200)
  })
  app.openapi(route(costRoutes.removeBudget), async (context) => {
    const { operator, actor } = context.get('speaker')
    return context.json(await budgets.remove(operator, context.req.valid('param').name, actor), 200)
  })
  app.openapi(route(costRoutes.modelCalls), async (context) => {
    const { run, limit } = context.req.valid('query')
    const filter = { limit, ...(run === undefined ? {} : { run }) }
    return context.json(await views.modelCalls(context.get('speaker').operator, filter), 200)
  })
}

/** The present month where nothing is given; without a beginning, the month that the end lies in. */
export function spanIn({ from, to }: Span, now: Date, zone: string): { from: Date; to: Date } {
  const end = to === undefined ? now : momentOf(to, 'to', zone)
  const begin =
    from === undefined
      ? spanOf('month', new Date(end.getTime() - 1), zone).from
      : momentOf(from, 'from', zone)
  if (begin < end) return { from: begin, to: end }
  throw new CountersignError('usage', 'The start of the period is not before its end.', {
    next: 'Give two dates, such as from 2026-11-01 to 2026-11-30.',
  })
}

/** A date means its beginning, and as an end the whole of it. */
function momentOf(text: string, edge: 'from' | 'to', zone: string): Date {
  if (text.includes('T')) return new Date(text)
  const day = dayOf(text, zone)
  return edge === 'from' ? day.from : day.until
}
