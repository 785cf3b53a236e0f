/** Owns the routes of agents, teams and the profile. What is done here is the operator's own act. */
import {
  type Agent,
  type AgentChange,
  type AgentChanged,
  AgentId,
  type AgentPrompt,
  type AgentRemoved,
  type AgentReset,
  type AgentSettings,
  type AgentsResynced,
  type AgentTeam,
  type Answering,
  type AnsweringChange,
  type AnsweringChanged,
  type OperatorId,
  type Profile,
  type ProfileChanged,
  type ProfileView,
  type SessionId,
  type TeamChange,
  type TeamChanged,
  type TeamRemoved,
  type TeamRoute,
  type TeamSettings,
} from '@countersign/contract'
import { agentRoutes } from '@countersign/contract/routes'
import type { Actor } from '@countersign/kernel'
import { type App, route } from './route.ts'

export interface AgentParts {
  readonly agents: {
    list(): Promise<Agent[]>
    /** By id, else by name. */
    get(ref: string): Promise<Agent>
    add(by: Actor, settings: AgentSettings): Promise<AgentChanged>
    change(by: Actor, ref: string, change: AgentChange): Promise<AgentChanged>
    remove(by: Actor, ref: string): Promise<AgentRemoved>
    choose(by: Actor, ref: string): Promise<AgentChanged>
    resync(by: Actor): Promise<AgentsResynced>
  }
  readonly teams: {
    list(): Promise<AgentTeam[]>
    get(ref: string): Promise<AgentTeam>
    add(by: Actor, settings: TeamSettings): Promise<TeamChanged>
    change(by: Actor, ref: string, change: TeamChange): Promise<TeamChanged>
    remove(by: Actor, ref: string): Promise<TeamRemoved>
    route(ref: string, text: string): Promise<TeamRoute>
  }
  readonly answering: {
    get(): Promise<Answering>
    change(by: Actor, change: AnsweringChange): Promise<AnsweringChanged>
  }
  readonly profiles: {
    get(): Promise<ProfileView>
    set(by: Actor, profile: Profile): Promise<ProfileChanged>
  }
  /** Puts the open conversations of an agent away, so that the next message begins anew. */
  readonly reset: (operator: OperatorId, agent: string, by: Actor) => Promise<Omit<AgentReset, 'id'>>
  /** What the next run of an agent would be told. */
  readonly prompt: (operator: OperatorId, agent: string, about: PromptAbout) => Promise<AgentPrompt>
}

export interface PromptAbout {
  readonly goal?: string
  readonly session?: SessionId
  /** The message that it would answer. */
  readonly text?: string
}

export function addAgentRoutes(app: App, parts: AgentParts): void {
  addAgents(app, parts)
  addTeams(app, parts.teams)
  addAnswering(app, parts.answering)
  addProfile(app, parts.profiles)
}

function addAgents(app: App, { agents, reset, prompt }: AgentParts): void {
  app.openapi(route(agentRoutes.agents), async (context) => context.json(await agents.list(), 200))
  app.openapi(route(agentRoutes.addAgent), async (context) =>
    context.json(await agents.add(context.get('speaker').actor, context.req.valid('json')), 200),
  )
  app.openapi(route(agentRoutes.resyncAgents), async (context) =>
    context.json(await agents.resync(context.get('speaker').actor), 200),
  )
  app.openapi(route(agentRoutes.agent), async (context) =>
    context.json(await agents.get(context.req.valid('param').id), 200),
  )
  app.openapi(route(agentRoutes.changeAgent), async (context) => {
    const { actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await agents.change(actor, id, context.req.valid('json')), 200)
  })
  app.openapi(route(agentRoutes.removeAgent), async (context) =>
    context.json(await agents.remove(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(route(agentRoutes.useAgent), async (context) =>
    context.json(await agents.choose(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(route(agentRoutes.resetAgent), async (context) => {
    const { operator, actor } = context.get('speaker')
    const { id } = await agents.get(context.req.valid('param').id)
    return context.json({ id: AgentId.parse(id), ...(await reset(operator, id, actor)) }, 200)
  })
  app.openapi(route(agentRoutes.agentPrompt), async (context) => {
    const { goal, session, text } = context.req.valid('query')
    const { id } = await agents.get(context.req.valid('param').id)
    const about = {
      ...(goal === undefined ? {} : { goal }),
      ...(session === undefined ? {} : { session }),
      ...(text === undefined ? {} : { text }),
    }
    return context.json(await prompt(context.get('speaker').operator, id, about), 200)
  })
}

function addAnswering(app: App, answering: AgentParts['answering']): void {
  app.openapi(route(agentRoutes.answering), async (context) => context.json(await answering.get(), 200))
  app.openapi(route(agentRoutes.setAnswering), async (context) =>
    context.json(await answering.change(context.get('speaker').actor, context.req.valid('json')), 200),
  )
}

function addTeams(app: App, teams: AgentParts['teams']): void {
  app.openapi(route(agentRoutes.agentTeams), async (context) => context.json(await teams.list(), 200))
  app.openapi(route(agentRoutes.addAgentTeam), async (context) =>
    context.json(await teams.add(context.get('speaker').actor, context.req.valid('json')), 200),
  )
  app.openapi(route(agentRoutes.agentTeam), async (context) =>
    context.json(await teams.get(context.req.valid('param').id), 200),
  )
  app.openapi(route(agentRoutes.changeAgentTeam), async (context) => {
    const { actor } = context.get('speaker')
    const { id } = context.req.valid('param')
    return context.json(await teams.change(actor, id, context.req.valid('json')), 200)
  })
  app.openapi(route(agentRoutes.removeAgentTeam), async (context) =>
    context.json(await teams.remove(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(route(agentRoutes.routeInTeam), async (context) => {
    const { text } = context.req.valid('json')
    return context.json(await teams.route(context.req.valid('param').id, text), 200)
  })
}

function addProfile(app: App, profiles: AgentParts['profiles']): void {
  app.openapi(route(agentRoutes.profile), async (context) => context.json(await profiles.get(), 200))
  app.openapi(route(agentRoutes.setProfile), async (context) =>
    context.json(await profiles.set(context.get('speaker').actor, context.req.valid('json')), 200),
  )
}
