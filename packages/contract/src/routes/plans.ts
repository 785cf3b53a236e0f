/** Owns the table of the routes of plans. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  AddPlan,
  ChangePlan,
  ExecutePlan,
  PlanChanged,
  PlanDetail,
  PlanId,
  PlanList,
  PlanPreview,
  PlanStarted,
  PlanStatus,
  PlanStepId,
} from '../api-plans.ts'
import { define } from './define.ts'

const Filter = z.object({
  status: PlanStatus.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
const named = { params: z.object({ id: PlanId }) }

export const planRoutes = {
  plans: define('get', '/v1/plans', 'Plans, the newest first.', PlanList, { query: Filter }),
  addPlan: define('post', '/v1/plans', 'Adds a plan without starting it.', PlanChanged, {
    body: AddPlan,
  }),
  plan: define(
    'get',
    '/v1/plans/{id}',
    'One plan with its problems and the state of each step.',
    PlanDetail,
    named,
  ),
  changePlan: define('put', '/v1/plans/{id}', 'Changes a plan that is not running.', PlanChanged, {
    ...named,
    body: ChangePlan,
  }),
  removePlan: define('delete', '/v1/plans/{id}', 'Removes a plan that is not running.', Receipt, named),
  previewPlan: define(
    'post',
    '/v1/plans/{id}/preview',
    'Where a plan would stop, and what can be approved in advance.',
    PlanPreview,
    named,
  ),
  executePlan: define(
    'post',
    '/v1/plans/{id}/execute',
    'Starts a plan. The digest of a preview approves what it lists.',
    PlanStarted,
    { ...named, body: ExecutePlan },
  ),
  pausePlan: define('post', '/v1/plans/{id}/pause', 'Pauses a plan.', PlanChanged, named),
  skipPlanStep: define(
    'post',
    '/v1/plans/{id}/steps/{step}/skip',
    'Leaves out a step of a running plan that has not started.',
    PlanChanged,
    { params: z.object({ id: PlanId, step: PlanStepId }) },
  ),
  resumePlan: define('post', '/v1/plans/{id}/resume', 'Resumes a plan.', PlanChanged, named),
}
