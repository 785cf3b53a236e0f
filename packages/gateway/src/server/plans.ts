/** Owns the routes of plans. What is done here is the operator's own act; what a plan does passes the door call by call. */
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
  Receipt,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from '@hono/zod-openapi'
import { type App, receipt, route } from './route.ts'

export interface PlanParts {
  readonly plans: {
    list(query: { readonly status?: PlanStatus; readonly limit: number }): Promise<PlanList>
    detail(id: string): Promise<PlanDetail>
    add(plan: AddPlan, actor: Actor): Promise<PlanChanged>
    change(id: string, change: ChangePlan, actor: Actor): Promise<PlanChanged>
    remove(id: string, actor: Actor): Promise<number>
    preview(id: string): Promise<PlanPreview>
    execute(id: string, ahead: string | undefined, actor: Actor): Promise<PlanStarted>
    pause(id: string, actor: Actor): Promise<PlanChanged>
    resume(id: string, actor: Actor): Promise<PlanChanged>
  }
}

const one = '/v1/plans/{id}'
const named = { params: z.object({ id: PlanId }) }
const Filter = z.object({
  status: PlanStatus.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export function addPlanRoutes(app: App, { plans }: PlanParts): void {
  app.openapi(
    route('get', '/v1/plans', 'Plans, the newest first.', PlanList, { query: Filter }),
    async (context) => {
      const { status, limit } = context.req.valid('query')
      return context.json(await plans.list({ limit, ...(status === undefined ? {} : { status }) }), 200)
    },
  )
  app.openapi(
    route('post', '/v1/plans', 'Adds a plan without starting it.', PlanChanged, { body: AddPlan }),
    async (context) =>
      context.json(await plans.add(context.req.valid('json'), context.get('speaker').actor), 200),
  )
  app.openapi(
    route('get', one, 'One plan with its problems and the state of each step.', PlanDetail, named),
    async (context) => context.json(await plans.detail(context.req.valid('param').id), 200),
  )
  app.openapi(
    route('put', one, 'Changes a plan that is not running.', PlanChanged, {
      ...named,
      body: ChangePlan,
    }),
    async (context) => {
      const { id } = context.req.valid('param')
      return context.json(
        await plans.change(id, context.req.valid('json'), context.get('speaker').actor),
        200,
      )
    },
  )
  app.openapi(route('delete', one, 'Removes a plan that is not running.', Receipt, named), async (context) =>
    context.json(
      receipt(await plans.remove(context.req.valid('param').id, context.get('speaker').actor)),
      200,
    ),
  )
  app.openapi(
    route(
      'post',
      `${one}/preview`,
      'Where a plan would stop, and what can be approved in advance.',
      PlanPreview,
      named,
    ),
    async (context) => context.json(await plans.preview(context.req.valid('param').id), 200),
  )
  app.openapi(
    route(
      'post',
      `${one}/execute`,
      'Starts a plan. The digest of a preview approves what it lists.',
      PlanStarted,
      { ...named, body: ExecutePlan },
    ),
    async (context) => {
      const { id } = context.req.valid('param')
      const { ahead } = context.req.valid('json')
      return context.json(await plans.execute(id, ahead, context.get('speaker').actor), 200)
    },
  )
  app.openapi(route('post', `${one}/pause`, 'Pauses a plan.', PlanChanged, named), async (context) =>
    context.json(await plans.pause(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
  app.openapi(route('post', `${one}/resume`, 'Resumes a plan.', PlanChanged, named), async (context) =>
    context.json(await plans.resume(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
}
