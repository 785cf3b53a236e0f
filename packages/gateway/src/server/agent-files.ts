/** Owns the routes of the files that agents are told. Accepting one is the operator's own act, on a device that seals. */
import type {
  AcceptToldFile,
  ToldFile,
  ToldFileAccepted,
  ToldFileContent,
  ToldFileRemoved,
} from '@countersign/contract'
import { agentFileRoutes } from '@countersign/contract/routes'
import type { Actor } from '@countersign/kernel'
import { type App, route } from './route.ts'

export interface AgentFileParts {
  list(): Promise<ToldFile[]>
  content(path: string): Promise<ToldFileContent>
  accept(by: Actor, wanted: AcceptToldFile): Promise<ToldFileAccepted>
  remove(by: Actor, path: string): Promise<ToldFileRemoved>
}

export function addAgentFileRoutes(app: App, files: AgentFileParts): void {
  app.openapi(route(agentFileRoutes.toldFiles), async (context) => context.json(await files.list(), 200))
  app.openapi(route(agentFileRoutes.toldFileContent), async (context) =>
    context.json(await files.content(context.req.valid('query').path), 200),
  )
  app.openapi(route(agentFileRoutes.acceptToldFile), async (context) =>
    context.json(await files.accept(context.get('speaker').actor, context.req.valid('json')), 200),
  )
  app.openapi(route(agentFileRoutes.removeToldFile), async (context) =>
    context.json(await files.remove(context.get('speaker').actor, context.req.valid('query').path), 200),
  )
}
