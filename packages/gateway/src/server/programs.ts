/** Owns the routes by which the operator keeps programs. A token is in one reply, once. */
import { programRoutes } from '@countersign/contract/routes'
import type { ProgramAdmin } from '../programs/program-admin.ts'
import { type App, receipt, route } from './route.ts'

export function addProgramRoutes(app: App, programs: ProgramAdmin): void {
  app.openapi(route(programRoutes.programs), async (context) => context.json(await programs.list(), 200))
  app.openapi(route(programRoutes.addProgram), async (context) =>
    context.json(await programs.add(context.get('speaker'), context.req.valid('json')), 200),
  )
  app.openapi(route(programRoutes.changeProgram), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await programs.change(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(programRoutes.rotateProgram), async (context) =>
    context.json(await programs.rotate(context.get('speaker'), context.req.valid('param').name), 200),
  )
  app.openapi(route(programRoutes.revokeProgram), async (context) =>
    context.json(
      receipt(await programs.remove(context.get('speaker'), context.req.valid('param').name)),
      200,
    ),
  )
}
