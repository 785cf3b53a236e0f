/** The part of the typed client that speaks of agents, teams and the profile. */
import type { z } from 'zod'
import type {
  AgentChange,
  AgentSettings,
  AnsweringChange,
  Profile,
  TeamChange,
  TeamSettings,
} from '../api-agents.ts'
import { agentRoutes } from '../routes/agents.ts'
import type { Call } from './call.ts'

/** While the gateway itself asks a model. */
const askingMs = 180_000

export function agentCalls(call: Call) {
  return {
    agents: () => call(agentRoutes.agents),
    agent: (id: string) => call(agentRoutes.agent, { params: { id } }),
    addAgent: (added: z.input<typeof AgentSettings>) => call(agentRoutes.addAgent, { body: added }),
    changeAgent: (id: string, change: AgentChange) =>
      call(agentRoutes.changeAgent, { params: { id }, body: change }),
    removeAgent: (id: string) => call(agentRoutes.removeAgent, { params: { id } }),
    /** Makes it the one that answers where nobody is named. */
    useAgent: (id: string) => call(agentRoutes.useAgent, { params: { id } }),
    answering: () => call(agentRoutes.answering),
    /** Who answers where nobody is named: an agent, a team, or whoever's keywords fit. */
    setAnswering: (change: AnsweringChange) => call(agentRoutes.setAnswering, { body: change }),
    /** Begins its conversation anew; what was said is kept in the history. */
    resetAgent: (id: string) => call(agentRoutes.resetAgent, { params: { id } }),
    resyncAgents: () => call(agentRoutes.resyncAgents),
    agentPrompt: (id: string, about: { goal?: string; session?: string; text?: string } = {}) =>
      call(agentRoutes.agentPrompt, { params: { id }, query: about }),
    agentTeams: () => call(agentRoutes.agentTeams),
    agentTeam: (id: string) => call(agentRoutes.agentTeam, { params: { id } }),
    addAgentTeam: (added: z.input<typeof TeamSettings>) => call(agentRoutes.addAgentTeam, { body: added }),
    changeAgentTeam: (id: string, change: TeamChange) =>
      call(agentRoutes.changeAgentTeam, { params: { id }, body: change }),
    removeAgentTeam: (id: string) => call(agentRoutes.removeAgentTeam, { params: { id } }),
    /** Who would take the message. Sends it to nobody. */
    routeInTeam: (id: string, text: string) =>
      call(agentRoutes.routeInTeam, { params: { id }, body: { text } }, askingMs),
    profile: () => call(agentRoutes.profile),
    setProfile: (profile: z.input<typeof Profile>) => call(agentRoutes.setProfile, { body: profile }),
  }
}
