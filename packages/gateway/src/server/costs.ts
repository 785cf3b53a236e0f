/** Owns the routes of money: what was spent, the limits, and whether the bill agrees. An admin key goes in and nowhere out. */
import {
  BudgetChanged,
  BudgetName,
  BudgetRemoved,
  BudgetView,
  CostGroup,
  CostlyRun,
  CostReport,
  CountersignError,
  dayOf,
  IdleSpend,
  ModelCallView,
  ProviderName,
  Receipt,
  ReconciliationReply,
  RunId,
  SetBudget,
  spanOf,
} from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import type { Views } from '@countersign/views'
import { z } from '@hono/zod-openapi'
import type { Reconciler } from '../model-settings/reconcile.ts'
import { type App, receipt, route } from './route.ts'

export interface CostParts {
  readonly views: Pick<Views, 'costs' | 'costlyRuns' | 'idle' | 'modelCalls'>
  readonly budgets: Pick<Kernel['budgets'], 'list' | 'set' | 'remove' | 'release'>
  readonly reconcile: Reconciler
  readonly clock: () => Date
  /** Where days and months begin. */
  readonly zone: string
}

/** A day such as `2026-11-03`, or a moment with its zone. */
const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'a date such as 2026-11-03, or a moment such as 2026-11-03T14:00:00Z',
})
const Span = z.object({ from: Moment.optional(), to: Moment.optional() })
type Span = z.infer<typeof Span>

const named = { params: z.object({ name: BudgetName }) }

const Reconcile = z.strictObject({
  provider: ProviderName.optional(),
  ...Span.shape,
  adminKey: z.string().min(1).max(4_096).optional(),
})

export function addCostRoutes(app: App, parts: CostParts): void {
  const { views, budgets, clock, zone } = parts
  const span = (asked: Span) => spanIn(asked, clock(), zone)

  app.openapi(
    route('get', '/v1/costs', 'Costs by group; for this month if no period is given.', CostReport, {
      query: Span.extend({ by: CostGroup.default('model') }),
    }),
    async (context) => {
      const { by, ...asked } = context.req.valid('query')
      const { operator } = context.get('speaker')
      return context.json(await views.costs(operator, { ...span(asked), by, zone }), 200)
    },
  )
  app.openapi(
    route('get', '/v1/costs/runs', 'The most expensive runs, and why.', z.array(CostlyRun), {
      query: Span.extend({ limit: z.coerce.number().int().min(1).max(100).default(10) }),
    }),
    async (context) => {
      const { limit, ...asked } = context.req.valid('query')
      const { operator } = context.get('speaker')
      return context.json(await views.costlyRuns(operator, { ...span(asked), limit }), 200)
    },
  )
  app.openapi(
    route('get', '/v1/costs/idle', 'Costs more than a day after the operator’s last message.', IdleSpend, {
      query: Span,
    }),
    async (context) =>
      context.json(await views.idle(context.get('speaker').operator, span(context.req.valid('query'))), 200),
  )
  app.openapi(
    route('post', '/v1/costs/guard/lift', 'Resumes unattended work that was put on hold.', Receipt),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(receipt(await budgets.release(operator, actor)), 200)
    },
  )
  app.openapi(
    route(
      'post',
      '/v1/costs/reconcile',
      'Compares recorded costs with the bill of a provider, and corrects them. The admin key is not stored.',
      z.array(ReconciliationReply),
      { body: Reconcile },
    ),
    async (context) => {
      const { provider, adminKey, ...asked } = context.req.valid('json')
      const reconciled = await parts.reconcile(context.get('speaker'), { provider, adminKey, ...span(asked) })
      return context.json(reconciled, 200)
    },
  )
  app.openapi(
    route('get', '/v1/budgets', 'Budgets, with spent and reserved amounts.', z.array(BudgetView)),
    async (context) => context.json(await budgets.list(context.get('speaker').operator), 200),
  )
  app.openapi(
    route('put', '/v1/budgets', 'Sets or changes a budget.', BudgetChanged, { body: SetBudget }),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await budgets.set(operator, context.req.valid('json'), actor), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/budgets/{name}', 'Removes a limit.', BudgetRemoved, named),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      return context.json(await budgets.remove(operator, context.req.valid('param').name, actor), 200)
    },
  )
  app.openapi(
    route('get', '/v1/model-calls', 'Recorded calls to providers.', z.array(ModelCallView), {
      query: z.object({
        run: RunId.optional(),
        limit: z.coerce.number().int().min(1).max(1_000).default(50),
      }),
    }),
    async (context) => {
      const { run, limit } = context.req.valid('query')
      const filter = { limit, ...(run === undefined ? {} : { run }) }
      return context.json(await views.modelCalls(context.get('speaker').operator, filter), 200)
    },
  )
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
