/** Agents, teams and the profile of the scripted gateway: lists that a test fills, and what was asked of them. */
import {
  AcceptToldFile,
  Agent,
  AgentChange,
  type AgentLearning,
  type AgentPrompt,
  AgentSettings,
  AgentTeam,
  CountersignError,
  Profile,
  TeamChange,
  TeamSettings,
  type ToldFile,
} from '@countersign/contract'
import type { SeenRequest } from './models.ts'

export interface FakeAgents {
  readonly asked: SeenRequest[]
  agents: Agent[]
  teams: AgentTeam[]
  profile: Profile
  prompt: Partial<AgentPrompt>
  toldFiles: ToldFile[]
  learnings: AgentLearning[]
  /** Undefined when the request is about something else. */
  answer(request: SeenRequest): unknown
}

const at = '2026-08-01T11:00:00.000Z'

export function fakeAgents(): FakeAgents {
  const fake: FakeAgents = {
    asked: [],
    agents: [agentView('assistant', { kind: 'user', builtIn: true, isDefault: true })],
    teams: [],
    profile: { facts: [], interests: [], instructions: [] },
    prompt: {},
    toldFiles: [],
    learnings: [],
    answer(request) {
      const [, , noun = '', ref = '', verb = ''] = request.path.split('/').map(decodeURIComponent)
      if (noun === 'answering') {
        fake.asked.push(request)
        const answering = { agent: 'assistant', team: null, byKeywords: false, ...(request.body as object) }
        return request.method === 'GET' ? answering : { answering, ledger: 8 }
      }
      if (noun === 'agent-files') {
        fake.asked.push(request)
        return files(request, ref)
      }
      if (noun !== 'agents' && noun !== 'agent-teams' && noun !== 'profile') return undefined
      fake.asked.push(request)
      if (noun === 'agents') return agents(request, ref, verb)
      return noun === 'profile' ? profile(request) : teams(request, ref, verb)
    },
  }

  function agents(request: SeenRequest, ref: string, verb: string): unknown {
    const { method, body } = request
    if (ref === '' && method === 'GET') return fake.agents
    if (ref === '') {
      const settings = AgentSettings.parse(body)
      const agent = agentView(`agent_${settings.name.toLowerCase()}`, settings)
      fake.agents.push(agent)
      return { agent, ledger: 7 }
    }
    if (ref === 'resync')
      return { added: ['writer'], updated: [], unchanged: ['analyst'], kept: ['coder'], ledger: 8 }
    const agent = fake.agents.find(({ id, name }) => id === ref || name === ref) ?? missing(`agent ${ref}`)
    if (verb === 'learnings') return learnings(request)
    if (verb === 'use') return { agent: { ...agent, isDefault: true }, ledger: 7 }
    if (verb === 'reset') return { id: agent.id, conversations: 1, ledger: 7 }
    if (verb === 'prompt') return { ...promptView(agent.id), ...fake.prompt }
    if (method === 'GET') return agent
    if (method === 'DELETE') return { id: agent.id, restored: agent.builtIn, ledger: 9 }
    const merged = { ...agent, ...AgentChange.parse(body) }
    return { agent: Agent.parse(without(merged, body)), ledger: 8 }
  }

  function teams({ method, body }: SeenRequest, ref: string, verb: string): unknown {
    if (ref === '' && method === 'GET') return fake.teams
    if (ref === '') {
      const team = { ...TeamSettings.parse(body), id: 'team_1', updatedAt: at }
      fake.teams.push(team)
      return { team, ledger: 7 }
    }
    const team = fake.teams.find(({ id, name }) => id === ref || name === ref) ?? missing(`team ${ref}`)
    if (verb === 'route') return { agent: team.agents[0], by: 'keywords', matched: ['letter'] }
    if (method === 'GET') return team
    if (method === 'DELETE') return { id: team.id, ledger: 9 }
    return { team: AgentTeam.parse(without({ ...team, ...TeamChange.parse(body) }, body)), ledger: 8 }
  }

  function learnings({ method, path, body }: SeenRequest): unknown {
    if (method === 'GET') return fake.learnings
    const id = path.split('/').at(-1) ?? ''
    if (method === 'DELETE') return { id, ledger: 9 }
    const { text } = body as { text: string }
    return { learning: { id, text, at, by: 'operator', label: null, waits: false }, ledger: 8 }
  }

  function files({ method, body }: SeenRequest, verb: string): unknown {
    if (verb === 'content')
      return {
        path: 'AGENTS.md',
        sha256: 'a'.repeat(64),
        text: 'Use metric units.',
        told: 10,
        label: null,
        isAccepted: fake.toldFiles.length > 0,
      }
    if (method === 'GET') return fake.toldFiles
    if (method === 'DELETE') return { path: 'AGENTS.md', ledger: 9 }
    const file = { ...AcceptToldFile.parse(body), acceptedAt: at, state: 'told' as const }
    fake.toldFiles.push(file)
    return { file, ledger: 8 }
  }

  function profile({ method, body }: SeenRequest): unknown {
    if (method === 'GET') return { profile: fake.profile, label: null, updatedAt: null }
    fake.profile = Profile.parse(body)
    return { profile: fake.profile, ledger: 7 }
  }

  return fake
}

export function agentView(id: string, given: Partial<Agent> = {}): Agent {
  return {
    ...AgentSettings.parse({
      name: id.charAt(0).toUpperCase() + id.slice(1),
      systemPrompt: `You are ${id}.`,
    }),
    id,
    kind: 'custom',
    builtIn: false,
    changed: false,
    isDefault: false,
    label: null,
    updatedAt: at,
    ...given,
  }
}

function promptView(agent: string): AgentPrompt {
  return {
    agent,
    text: '<role>You are assistant.</role>',
    length: 31,
    tokens: 8,
    longest: 16_000,
    label: { integrity: 'operator', confidentiality: 'public', sources: [] },
    sections: [{ name: 'base', length: 31 }],
    dropped: [],
    cut: [],
    tools: { has: 120, shown: ['search_tools'] },
    model: 'default',
  }
}

function without(merged: object, change: unknown): unknown {
  return Object.fromEntries(
    Object.entries(merged).filter(([name]) => (change as Record<string, unknown>)[name] !== null),
  )
}

function missing(what: string): never {
  throw new CountersignError('not_found', `There is no ${what}.`)
}
