/** The part of the typed client that speaks of plans. */
import type { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  type AddPlan,
  type ChangePlan,
  PlanChanged,
  PlanDetail,
  PlanList,
  PlanPreview,
  PlanStarted,
} from '../api-plans.ts'
import { type Call, part, query } from './call.ts'

/** Every call of the plan is looked at. */
const previewMs = 60_000

export function planCalls(call: Call) {
  const plan = (id: string) => `/v1/plans/${part(id)}`
  return {
    plans: (filter: { status?: string; limit?: string } = {}) =>
      call(PlanList, 'GET', `/v1/plans${query(filter)}`),
    plan: (id: string) => call(PlanDetail, 'GET', plan(id)),
    addPlan: (added: z.input<typeof AddPlan>) => call(PlanChanged, 'POST', '/v1/plans', added),
    changePlan: (id: string, change: z.input<typeof ChangePlan>) =>
      call(PlanChanged, 'PUT', plan(id), change),
    removePlan: (id: string) => call(Receipt, 'DELETE', plan(id)),
    previewPlan: (id: string) => call(PlanPreview, 'POST', `${plan(id)}/preview`, {}, previewMs),
    /** `ahead` approves what the preview with this digest lists. */
    executePlan: (id: string, ahead?: string) =>
      call(PlanStarted, 'POST', `${plan(id)}/execute`, ahead === undefined ? {} : { ahead }, previewMs),
    pausePlan: (id: string) => call(PlanChanged, 'POST', `${plan(id)}/pause`, {}),
    resumePlan: (id: string) => call(PlanChanged, 'POST', `${plan(id)}/resume`, {}),
  }
}
