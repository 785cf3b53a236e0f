/** Owns the routes of plans. What is done here is the operator's own act; what a plan does passes the door call by call. */
import type {
  AddPlan,
  ChangePlan,
  PlanChanged,
  PlanDetail,
  PlanList,
  PlanPreview,
  PlanStarted,
  PlanStatus,
} from '@countersign/contract'
import { planRoutes } from '@countersign/contract/routes'
import type { Actor } from '@countersign/kernel'
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
    skip(id: string, step: string, actor: Actor): Promise<PlanChanged>
  }
}

export function addPlanRoutes(app: App, { plans }: PlanParts): void {
  app.openapi(route(planRoutes.plans), async (context) => {
    const { status, limit } = context.req.valid('query')
    return context.json(await plans.list({ limit, ...(status === undefined ? {} : { status }) }), 200)
  })
  app.openapi(route(planRoutes.addPlan), async (context) =>
    context.json(await plans.add(context.req.valid('json'), context.get('speaker').actor), 200),
  )
  app.openapi(route(planRoutes.plan), async (context) =>
    context.json(await plans.detail(context.req.valid('param').id), 200),
  )
  app.openapi(route(planRoutes.changePlan), async (context) => {
    const { id } = context.req.valid('param')
    return context.json(await plans.change(id, context.req.valid('json'), context.get('speaker').actor), 200)
  })
  app.openapi(route(planRoutes.removePlan), async (context) =>
    context.json(
      receipt(await plans.remove(context.req.valid('param').id, context.get('speaker').actor)),
      200,
    ),
  )
  app.openapi(route(planRoutes.previewPlan), async (context) =>
    context.json(await plans.preview(context.req.valid('param').id), 200),
  )
  app.openapi(route(planRoutes.executePlan), async (context) => {
    const { id } = context.req.valid('param')
    const { ahead } = context.req.valid('json')
    return context.json(await plans.execute(id, ahead, context.get('speaker').actor), 200)
  })
  app.openapi(route(planRoutes.pausePlan), async (context) =>
    context.json(await plans.pause(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
  app.openapi(route(planRoutes.skipPlanStep), async (context) => {
    const { id, step } = context.req.valid('param')
    return context.json(await plans.skip(id, step, context.get('speaker').actor), 200)
  })
  app.openapi(route(planRoutes.resumePlan), async (context) =>
    context.json(await plans.resume(context.req.valid('param').id, context.get('speaker').actor), 200),
  )
}
