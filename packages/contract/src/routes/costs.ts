/** Owns the table of the routes of money: what was spent, the limits, and the bill. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  BudgetChanged,
  BudgetName,
  BudgetRemoved,
  BudgetView,
  CostDayGroup,
  CostDays,
  CostGroup,
  CostlyRun,
  CostReport,
  IdleSpend,
  ModelCallView,
  ReconciliationReply,
  SetBudget,
} from '../api-costs.ts'
import { ProviderName } from '../api-models.ts'
import { RunId } from '../ids.ts'
import { define } from './define.ts'

/** A day such as `2026-11-03`, or a moment with its zone. */
const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'a date such as 2026-11-03, or a moment such as 2026-11-03T14:00:00Z',
})
const Span = z.object({ from: Moment.optional(), to: Moment.optional() })
const Reconcile = z.strictObject({
  provider: ProviderName.optional(),
  ...Span.shape,
  adminKey: z.string().min(1).max(4_096).optional(),
})
const named = { params: z.object({ name: BudgetName }) }

export const costRoutes = {
  costs: define('get', '/v1/costs', 'Costs by group; for this month if no period is given.', CostReport, {
    query: Span.extend({ by: CostGroup.default('model') }),
  }),
  costDays: define(
    'get',
    '/v1/costs/days',
    'Costs by day and group; for this month if no period is given.',
    CostDays,
    {
      query: Span.extend({ by: CostDayGroup.default('model') }),
    },
  ),
  costlyRuns: define('get', '/v1/costs/runs', 'The most expensive runs, and why.', z.array(CostlyRun), {
    query: Span.extend({
      limit: z.coerce.number().int().min(1).max(100).default(10),
      /** Only what was spent on one of a group, such as one model. */
      by: CostDayGroup.optional(),
      key: z.string().min(1).max(200).optional(),
    }),
  }),
  idleSpend: define(
    'get',
    '/v1/costs/idle',
    'Costs more than a day after the operator’s last message.',
    IdleSpend,
    { query: Span },
  ),
  liftGuard: define('post', '/v1/costs/guard/lift', 'Resumes unattended work that was put on hold.', Receipt),
  reconcile: define(
    'post',
    '/v1/costs/reconcile',
    'Compares recorded costs with the bill of a provider, and corrects them. The admin key is not stored.',
    z.array(ReconciliationReply),
    { body: Reconcile },
  ),
  budgets: define('get', '/v1/budgets', 'Budgets, with spent and reserved amounts.', z.array(BudgetView)),
  setBudget: define('put', '/v1/budgets', 'Sets or changes a budget.', BudgetChanged, { body: SetBudget }),
  removeBudget: define('delete', '/v1/budgets/{name}', 'Removes a limit.', BudgetRemoved, named),
  modelCalls: define('get', '/v1/model-calls', 'Recorded calls to providers.', z.array(ModelCallView), {
    query: z.object({
      run: RunId.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(50),
    }),
  }),
}
