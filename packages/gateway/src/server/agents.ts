/** Owns the routes of agents, teams and the profile. What is done here is the operator's own act. */
import {
  Agent,
  AgentChange,
  AgentChanged,
  AgentId,
  AgentPrompt,
  AgentRemoved,
  AgentReset,
  AgentSettings,
  AgentsResynced,
  AgentTeam,
  type OperatorId,
  Profile,
  ProfileChanged,
  ProfileView,
  SessionId,
  TeamChange,
  TeamChanged,
  TeamRemoved,
  TeamRoute,
  TeamSettings,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { z } from '@hono/zod-openapi'
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

const Ref = z.string().min(1).max(100)
const named = { params: z.object({ id: Ref }) }
const About = z.object({
  goal: z.string().max(100).optional(),
  session: SessionId.optional(),
  text: z.string().max(10_000).optional(),
})
const RouteText = z.strictObject({ text: z.string().min(1).max(100_000) })

export function addAgentRoutes(app: App, parts: AgentParts): void {
  addAgents(app, parts)
  addTeams(app, parts.teams)
  addProfile(app, parts.profiles)
}

function addAgents(app: App, { agents, reset, prompt }: AgentParts): void {
  app.openapi(
    route('get', '/v1/agents', 'Every agent, built-in ones first.', z.array(Agent)),
    async (context) => context.json(await agents.list(), 200),
  )
  app.openapi(
    route('post', '/v1/agents', 'Adds an agent.', AgentChanged, { body: AgentSettings }),
    async (context) =>
      context.json(await agents.add(context.get('speaker').actor, context.req.valid('json')), 200),
  )
  app.openapi(
    route(
      'post',
      '/v1/agents/resync',
      'Updates the built-in agents, except those that you changed.',
      AgentsResynced,
    ),
    async (context) => context.json(await agents.resync(context.get('speaker').actor), 200),
  )
  app.openapi(route('get', '/v1/agents/{id}', 'One agent, by id or name.', Agent, named), async (context) =>
    context.json(await agents.get(context.req.valid('param').id), 200),
  )
  app.openapi(
    route(
      'patch',
      '/v1/agents/{id}',
      'Changes the given fields of an agent; null clears a field.',
      AgentChanged,
      {
        ...named,
        body: AgentChange,
      },
    ),
    async (context) => {
      const { actor } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await agents.change(actor, id, context.req.valid('json')), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/agents/{id}', 'Removes an agent; a built-in one is restored.', AgentRemoved, named),
    async (context) =>
      context.json(await agents.remove(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(
    route('post', '/v1/agents/{id}/use', 'Makes it the default agent.', AgentChanged, named),
    async (context) =>
      context.json(await agents.choose(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(
    route('post', '/v1/agents/{id}/reset', 'Starts a new conversation with it.', AgentReset, named),
    async (context) => {
      const { operator, actor } = context.get('speaker')
      const { id } = await agents.get(context.req.valid('param').id)
      return context.json({ id: AgentId.parse(id), ...(await reset(operator, id, actor)) }, 200)
    },
  )
  app.openapi(
    route('get', '/v1/agents/{id}/prompt', 'The prompt of its next run.', AgentPrompt, {
      ...named,
      query: About,
    }),
    async (context) => {
      const { goal, session, text } = context.req.valid('query')
      const { id } = await agents.get(context.req.valid('param').id)
      const about = {
        ...(goal === undefined ? {} : { goal }),
        ...(session === undefined ? {} : { session }),
        ...(text === undefined ? {} : { text }),
      }
      return context.json(await prompt(context.get('speaker').operator, id, about), 200)
    },
  )
}

function addTeams(app: App, teams: AgentParts['teams']): void {
  app.openapi(route('get', '/v1/agent-teams', 'Every team.', z.array(AgentTeam)), async (context) =>
    context.json(await teams.list(), 200),
  )
  app.openapi(
    route('post', '/v1/agent-teams', 'Adds a team.', TeamChanged, { body: TeamSettings }),
    async (context) =>
      context.json(await teams.add(context.get('speaker').actor, context.req.valid('json')), 200),
  )
  app.openapi(
    route('get', '/v1/agent-teams/{id}', 'One team, by id or name.', AgentTeam, named),
    async (context) => context.json(await teams.get(context.req.valid('param').id), 200),
  )
  app.openapi(
    route('patch', '/v1/agent-teams/{id}', 'Changes the given fields of a team.', TeamChanged, {
      ...named,
      body: TeamChange,
    }),
    async (context) => {
      const { actor } = context.get('speaker')
      const { id } = context.req.valid('param')
      return context.json(await teams.change(actor, id, context.req.valid('json')), 200)
    },
  )
  app.openapi(
    route('delete', '/v1/agent-teams/{id}', 'Removes a team; its agents stay.', TeamRemoved, named),
    async (context) =>
      context.json(await teams.remove(context.get('speaker').actor, context.req.valid('param').id), 200),
  )
  app.openapi(
    route(
      'post',
      '/v1/agent-teams/{id}/route',
      'Which agent would answer a message. Sends nothing.',
      TeamRoute,
      {
        ...named,
        body: RouteText,
      },
    ),
    async (context) => {
      const { text } = context.req.valid('json')
      return context.json(await teams.route(context.req.valid('param').id, text), 200)
    },
  )
}

function addProfile(app: App, profiles: AgentParts['profiles']): void {
  app.openapi(route('get', '/v1/profile', 'The profile of the operator.', ProfileView), async (context) =>
    context.json(await profiles.get(), 200),
  )
  app.openapi(
    route('put', '/v1/profile', 'Replaces the profile.', ProfileChanged, { body: Profile }),
    async (context) =>
      context.json(await profiles.set(context.get('speaker').actor, context.req.valid('json')), 200),
  )
}
