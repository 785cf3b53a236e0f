/** The part of the typed client that speaks of providers, models and money. */
import type { z } from 'zod'
import type { CostDayGroup, CostGroup, SetBudget } from '../api-costs.ts'
import type { AddProvider, OverrideModel, SetProvider, SetRoute } from '../api-models.ts'
import { costRoutes } from '../routes/costs.ts'
import { modelRoutes } from '../routes/models.ts'
import { providerRoutes } from '../routes/providers.ts'
import type { Call } from './call.ts'

/** While the gateway itself waits for somebody else. */
const askingMs = 180_000

export function modelCalls(call: Call) {
  return {
    providers: () => call(providerRoutes.providers),
    detectProviders: () => call(providerRoutes.detectProviders),
    addProvider: (added: z.input<typeof AddProvider>) => call(providerRoutes.addProvider, { body: added }),
    setProvider: (name: string, change: SetProvider) =>
      call(providerRoutes.setProvider, { params: { name }, body: change }),
    removeProvider: (name: string) => call(providerRoutes.removeProvider, { params: { name } }),
    testProvider: (name: string, model?: string, prompt?: string) =>
      call(
        providerRoutes.testProvider,
        {
          params: { name },
          body: {
            ...(model === undefined ? {} : { model }),
            ...(prompt === undefined ? {} : { prompt }),
          },
        },
        askingMs,
      ),
    models: (filter: { provider?: string; words?: string; needs?: string; all?: string } = {}) =>
      call(modelRoutes.models, { query: filter }),
    model: (ref: string) => call(modelRoutes.model, { query: { ref } }),
    estimateModel: (ref: string, tokens: { input: number; output: number; cached?: number }) =>
      call(modelRoutes.estimateModel, { query: { ref, cached: 0, ...tokens } }),
    overrideModel: (ref: string, change: OverrideModel) =>
      call(modelRoutes.overrideModel, { query: { ref }, body: change }),
    /** Takes the operator's changes back. */
    restoreModel: (ref: string) => call(modelRoutes.restoreModel, { query: { ref } }),
    routes: () => call(modelRoutes.routes),
    setRoute: (purpose: string, route: SetRoute) =>
      call(modelRoutes.setRoute, { params: { purpose }, body: route }),
    catalogue: () => call(modelRoutes.catalogue),
    refreshCatalogue: () => call(modelRoutes.refreshCatalogue, {}, askingMs),
    modelTraces: (filter: { limit?: string; run?: string } = {}) =>
      call(modelRoutes.modelTraces, { query: filter }),
    modelCalls: (filter: { run?: string; limit?: string } = {}) =>
      call(costRoutes.modelCalls, { query: filter }),
    costs: (filter: { from?: string; to?: string; by?: CostGroup } = {}) =>
      call(costRoutes.costs, { query: filter }),
    costDays: (filter: { from?: string; to?: string; by?: CostDayGroup } = {}) =>
      call(costRoutes.costDays, { query: filter }),
    costlyRuns: (
      filter: { from?: string; to?: string; limit?: string; by?: CostDayGroup; key?: string } = {},
    ) => call(costRoutes.costlyRuns, { query: filter }),
    idleSpend: (filter: { from?: string; to?: string } = {}) => call(costRoutes.idleSpend, { query: filter }),
    budgets: () => call(costRoutes.budgets),
    setBudget: (budget: z.input<typeof SetBudget>) => call(costRoutes.setBudget, { body: budget }),
    removeBudget: (name: string) => call(costRoutes.removeBudget, { params: { name } }),
    /** Lets unattended work go on after the guard stopped it. */
    liftGuard: () => call(costRoutes.liftGuard),
    reconcile: (asked: { provider?: string; from?: string; to?: string; adminKey?: string }) =>
      call(costRoutes.reconcile, { body: asked }, askingMs),
  }
}
