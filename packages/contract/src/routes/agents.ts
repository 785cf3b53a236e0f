/** Owns the table of the routes of agents, teams and the profile. */
import { z } from 'zod'
import {
  Agent,
  AgentChange,
  AgentChanged,
  AgentPrompt,
  AgentRemoved,
  AgentReset,
  AgentSettings,
  AgentsResynced,
  AgentTeam,
  Answering,
  AnsweringChange,
  AnsweringChanged,
  Profile,
  ProfileChanged,
  ProfileView,
  TeamChange,
  TeamChanged,
  TeamRemoved,
  TeamRoute,
  TeamSettings,
} from '../api-agents.ts'
import { SessionId } from '../ids.ts'
import { define } from './define.ts'

const Ref = z.string().min(1).max(100)
const named = { params: z.object({ id: Ref }) }
const About = z.object({
  goal: z.string().max(100).optional(),
  session: SessionId.optional(),
  text: z.string().max(10_000).optional(),
})
const RouteText = z.strictObject({ text: z.string().min(1).max(100_000) })

export const agentRoutes = {
  agents: define('get', '/v1/agents', 'Every agent, built-in ones first.', z.array(Agent)),
  addAgent: define('post', '/v1/agents', 'Adds an agent.', AgentChanged, { body: AgentSettings }),
  resyncAgents: define(
    'post',
    '/v1/agents/resync',
    'Updates the built-in agents, except those that you changed.',
    AgentsResynced,
  ),
  agent: define('get', '/v1/agents/{id}', 'One agent, by id or name.', Agent, named),
  changeAgent: define(
    'patch',
    '/v1/agents/{id}',
    'Changes the given fields of an agent; null clears a field.',
    AgentChanged,
    { ...named, body: AgentChange },
  ),
  removeAgent: define(
    'delete',
    '/v1/agents/{id}',
    'Removes an agent; a built-in one is restored.',
    AgentRemoved,
    named,
  ),
  answering: define('get', '/v1/answering', 'Who answers a message that names nobody.', Answering),
  setAnswering: define(
    'patch',
    '/v1/answering',
    'Sets the default agent, the default team, or the choice by keywords.',
    AnsweringChanged,
    { body: AnsweringChange },
  ),
  useAgent: define('post', '/v1/agents/{id}/use', 'Makes it the default agent.', AgentChanged, named),
  resetAgent: define(
    'post',
    '/v1/agents/{id}/reset',
    'Starts a new conversation with it.',
    AgentReset,
    named,
  ),
  agentPrompt: define('get', '/v1/agents/{id}/prompt', 'The prompt of its next run.', AgentPrompt, {
    ...named,
    query: About,
  }),
  agentTeams: define('get', '/v1/agent-teams', 'Every team.', z.array(AgentTeam)),
  addAgentTeam: define('post', '/v1/agent-teams', 'Adds a team.', TeamChanged, { body: TeamSettings }),
  agentTeam: define('get', '/v1/agent-teams/{id}', 'One team, by id or name.', AgentTeam, named),
  changeAgentTeam: define(
    'patch',
    '/v1/agent-teams/{id}',
    'Changes the given fields of a team.',
    TeamChanged,
    {
      ...named,
      body: TeamChange,
    },
  ),
  removeAgentTeam: define(
    'delete',
    '/v1/agent-teams/{id}',
    'Removes a team; its agents stay.',
    TeamRemoved,
    named,
  ),
  routeInTeam: define(
    'post',
    '/v1/agent-teams/{id}/route',
    'Which agent would answer a message. Sends nothing.',
    TeamRoute,
    { ...named, body: RouteText },
  ),
  profile: define('get', '/v1/profile', 'The profile of the operator.', ProfileView),
  setProfile: define('put', '/v1/profile', 'Replaces the profile.', ProfileChanged, { body: Profile }),
}
