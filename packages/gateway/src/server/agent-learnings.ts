/** Owns the routes of what agents have learned. What is done here is the operator's own act. */
import type {
  AgentLearning,
  AgentLearningChanged,
  AgentLearningRemoved,
  AgentLearningText,
} from '@countersign/contract'
import { agentLearningRoutes } from '@countersign/contract/routes'
import type { Actor } from '@countersign/kernel'
import { type App, route } from './route.ts'

export interface AgentLearningParts {
  list(ref: string): Promise<AgentLearning[]>
  add(by: Actor, ref: string, learning: AgentLearningText): Promise<AgentLearningChanged>
  set(by: Actor, ref: string, entry: string, learning: AgentLearningText): Promise<AgentLearningChanged>
  remove(by: Actor, ref: string, entry: string): Promise<AgentLearningRemoved>
}

export function addAgentLearningRoutes(app: App, learnings: AgentLearningParts): void {
  app.openapi(route(agentLearningRoutes.agentLearnings), async (context) =>
    context.json(await learnings.list(context.req.valid('param').id), 200),
  )
  app.openapi(route(agentLearningRoutes.addAgentLearning), async (context) => {
    const { id } = context.req.valid('param')
    return context.json(await learnings.add(context.get('speaker').actor, id, context.req.valid('json')), 200)
  })
  app.openapi(route(agentLearningRoutes.setAgentLearning), async (context) => {
    const { id, entry } = context.req.valid('param')
    const { actor } = context.get('speaker')
    return context.json(await learnings.set(actor, id, entry, context.req.valid('json')), 200)
  })
  app.openapi(route(agentLearningRoutes.removeAgentLearning), async (context) => {
    const { id, entry } = context.req.valid('param')
    return context.json(await learnings.remove(context.get('speaker').actor, id, entry), 200)
  })
}
