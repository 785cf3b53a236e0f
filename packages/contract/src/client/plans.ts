/** The part of the typed client that speaks of plans. */
import type { z } from 'zod'
import type { AddPlan, ChangePlan } from '../api-plans.ts'
import { planRoutes } from '../routes/plans.ts'
import type { Call } from './call.ts'

/** Every call of the plan is looked at. */
const previewMs = 60_000

export function planCalls(call: Call) {
  return {
    plans: (filter: { status?: string; limit?: string } = {}) => call(planRoutes.plans, { query: filter }),
    plan: (id: string) => call(planRoutes.plan, { params: { id } }),
    addPlan: (added: z.input<typeof AddPlan>) => call(planRoutes.addPlan, { body: added }),
    changePlan: (id: string, change: z.input<typeof ChangePlan>) =>
      call(planRoutes.changePlan, { params: { id }, body: change }),
    removePlan: (id: string) => call(planRoutes.removePlan, { params: { id } }),
    previewPlan: (id: string) => call(planRoutes.previewPlan, { params: { id } }, previewMs),
    /** `ahead` approves what the preview with this digest lists. */
    executePlan: (id: string, ahead?: string) =>
      call(planRoutes.executePlan, { params: { id }, body: ahead === undefined ? {} : { ahead } }, previewMs),
    pausePlan: (id: string) => call(planRoutes.pausePlan, { params: { id } }),
    skipPlanStep: (id: string, step: string) => call(planRoutes.skipPlanStep, { params: { id, step } }),
    resumePlan: (id: string) => call(planRoutes.resumePlan, { params: { id } }),
  }
}
