/** The part of the typed client that speaks of plans. */
import type { z } from 'zod'
import type { AddPlan, ChangePlan } from '../api-plans.ts'
import type { Call } from './call.ts'

/** Every call of the plan is looked at. */
const previewMs = 60_000

/** Loaded with the first call, as those of e-mail. */
const routes = async () => (await import('../routes/plans.ts')).planRoutes

export function planCalls(call: Call) {
  return {
    plans: async (filter: { status?: string; limit?: string } = {}) =>
      call((await routes()).plans, { query: filter }),
    plan: async (id: string) => call((await routes()).plan, { params: { id } }),
    addPlan: async (added: z.input<typeof AddPlan>) => call((await routes()).addPlan, { body: added }),
    changePlan: async (id: string, change: z.input<typeof ChangePlan>) =>
      call((await routes()).changePlan, { params: { id }, body: change }),
    removePlan: async (id: string) => call((await routes()).removePlan, { params: { id } }),
    previewPlan: async (id: string) => call((await routes()).previewPlan, { params: { id } }, previewMs),
    /** `ahead` approves what the preview with this digest lists. */
    executePlan: async (id: string, ahead?: string) =>
      call(
        (await routes()).executePlan,
        { params: { id }, body: ahead === undefined ? {} : { ahead } },
        previewMs,
      ),
    pausePlan: async (id: string) => call((await routes()).pausePlan, { params: { id } }),
    skipPlanStep: async (id: string, step: string) =>
      call((await routes()).skipPlanStep, { params: { id, step } }),
    resumePlan: async (id: string) => call((await routes()).resumePlan, { params: { id } }),
  }
}
