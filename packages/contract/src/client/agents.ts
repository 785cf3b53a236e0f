/** The part of the typed client that speaks of agents, teams and the profile. */
import { z } from 'zod'
import {
  Agent,
  type AgentChange,
  AgentChanged,
  AgentPrompt,
  AgentRemoved,
  AgentReset,
  type AgentSettings,
  AgentsResynced,
  AgentTeam,
  type Profile,
  ProfileChanged,
  ProfileView,
  type TeamChange,
  TeamChanged,
  TeamRemoved,
  TeamRoute,
  type TeamSettings,
} from '../api-agents.ts'
import { type Call, part, query } from './call.ts'

/** While the gateway itself asks a model. */
const askingMs = 180_000

export function agentCalls(call: Call) {
  const agent = (id: string) => `/v1/agents/${part(id)}`
  const team = (id: string) => `/v1/agent-teams/${part(id)}`
  return {
    agents: () => call(z.array(Agent), 'GET', '/v1/agents'),
    agent: (id: string) => call(Agent, 'GET', agent(id)),
    addAgent: (added: z.input<typeof AgentSettings>) => call(AgentChanged, 'POST', '/v1/agents', added),
    changeAgent: (id: string, change: AgentChange) => call(AgentChanged, 'PATCH', agent(id), change),
    removeAgent: (id: string) => call(AgentRemoved, 'DELETE', agent(id)),
    /** Makes it the default agent. */
    useAgent: (id: string) => call(AgentChanged, 'POST', `${agent(id)}/use`, {}),
    /** Begins its conversation anew; what was said is kept in the history. */
    resetAgent: (id: string) => call(AgentReset, 'POST', `${agent(id)}/reset`, {}),
    resyncAgents: () => call(AgentsResynced, 'POST', '/v1/agents/resync', {}),
    agentPrompt: (id: string, about: { goal?: string; session?: string; text?: string } = {}) =>
      call(AgentPrompt, 'GET', `${agent(id)}/prompt${query(about)}`),
    agentTeams: () => call(z.array(AgentTeam), 'GET', '/v1/agent-teams'),
    agentTeam: (id: string) => call(AgentTeam, 'GET', team(id)),
    addAgentTeam: (added: z.input<typeof TeamSettings>) =>
      call(TeamChanged, 'POST', '/v1/agent-teams', added),
    changeAgentTeam: (id: string, change: TeamChange) => call(TeamChanged, 'PATCH', team(id), change),
    removeAgentTeam: (id: string) => call(TeamRemoved, 'DELETE', team(id)),
    /** Who would take the message. Sends it to nobody. */
    routeInTeam: (id: string, text: string) =>
      call(TeamRoute, 'POST', `${team(id)}/route`, { text }, askingMs),
    profile: () => call(ProfileView, 'GET', '/v1/profile'),
    setProfile: (profile: z.input<typeof Profile>) => call(ProfileChanged, 'PUT', '/v1/profile', profile),
  }
}
