/** The part of the typed client that speaks of providers, models and money. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  BudgetChanged,
  BudgetRemoved,
  BudgetView,
  type CostGroup,
  CostlyRun,
  CostReport,
  IdleSpend,
  ModelCallView,
  ReconciliationReply,
  type SetBudget,
} from '../api-costs.ts'
import {
  type AddProvider,
  CatalogueRefreshed,
  CatalogueView,
  DetectedProvider,
  ModelChanged,
  ModelTrace,
  ModelView,
  type OverrideModel,
  ProviderChanged,
  ProviderRemoved,
  ProviderTested,
  ProviderView,
  RouteChanged,
  RouteView,
  type SetProvider,
  type SetRoute,
} from '../api-models.ts'
import { type Call, part, query } from './call.ts'

/** While the gateway itself waits for somebody else. */
const askingMs = 180_000

export function modelCalls(call: Call) {
  const provider = (name: string) => `/v1/providers/${part(name)}`
  return {
    providers: () => call(z.array(ProviderView), 'GET', '/v1/providers'),
    detectProviders: () => call(z.array(DetectedProvider), 'GET', '/v1/detected-providers'),
    addProvider: (added: z.input<typeof AddProvider>) =>
      call(ProviderChanged, 'POST', '/v1/providers', added),
    setProvider: (name: string, change: SetProvider) => call(ProviderChanged, 'PUT', provider(name), change),
    removeProvider: (name: string) => call(ProviderRemoved, 'DELETE', provider(name)),
    testProvider: (name: string, model?: string) =>
      call(ProviderTested, 'POST', `${provider(name)}/test`, model === undefined ? {} : { model }, askingMs),
    models: (filter: { provider?: string; words?: string; needs?: string; all?: string } = {}) =>
      call(z.array(ModelView), 'GET', `/v1/models${query(filter)}`),
    model: (ref: string) => call(ModelView, 'GET', `/v1/model${query({ ref })}`),
    overrideModel: (ref: string, change: OverrideModel) =>
      call(ModelChanged, 'PUT', `/v1/model${query({ ref })}`, change),
    /** Takes the operator's changes back. */
    restoreModel: (ref: string) => call(ModelChanged, 'DELETE', `/v1/model${query({ ref })}`),
    routes: () => call(z.array(RouteView), 'GET', '/v1/routes'),
    setRoute: (purpose: string, route: SetRoute) =>
      call(RouteChanged, 'PUT', `/v1/routes/${part(purpose)}`, route),
    catalogue: () => call(CatalogueView, 'GET', '/v1/model-catalogue'),
    refreshCatalogue: () => call(CatalogueRefreshed, 'POST', '/v1/model-catalogue/refresh', {}, askingMs),
    modelTraces: (filter: { limit?: string; run?: string } = {}) =>
      call(z.array(ModelTrace), 'GET', `/v1/model-traces${query(filter)}`),
    modelCalls: (filter: { run?: string; limit?: string } = {}) =>
      call(z.array(ModelCallView), 'GET', `/v1/model-calls${query(filter)}`),
    costs: (filter: { from?: string; to?: string; by?: CostGroup } = {}) =>
      call(CostReport, 'GET', `/v1/costs${query(filter)}`),
    costlyRuns: (filter: { from?: string; to?: string; limit?: string } = {}) =>
      call(z.array(CostlyRun), 'GET', `/v1/costs/runs${query(filter)}`),
    idleSpend: (filter: { from?: string; to?: string } = {}) =>
      call(IdleSpend, 'GET', `/v1/costs/idle${query(filter)}`),
    budgets: () => call(z.array(BudgetView), 'GET', '/v1/budgets'),
    setBudget: (budget: z.input<typeof SetBudget>) => call(BudgetChanged, 'PUT', '/v1/budgets', budget),
    removeBudget: (name: string) => call(BudgetRemoved, 'DELETE', `/v1/budgets/${part(name)}`),
    /** Lets unattended work go on after the guard stopped it. */
    liftGuard: () => call(Receipt, 'POST', '/v1/costs/guard/lift', {}),
    reconcile: (asked: { provider?: string; from?: string; to?: string; adminKey?: string }) =>
      call(z.array(ReconciliationReply), 'POST', '/v1/costs/reconcile', asked, askingMs),
  }
}
