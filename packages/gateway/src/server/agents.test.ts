import {
  Agent,
  AgentSettings,
  AgentTeam,
  type Answering,
  CountersignError,
  type Profile,
} from '@countersign/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { type RouteApp, routeApp } from '../testing/route-app.ts'
import { type AgentParts, addAgentRoutes } from './agents.ts'

/** What a change takes away is gone. */
const without = (merged: object, change: object) =>
  Object.fromEntries(
    Object.entries(merged).filter(([name]) => (change as Record<string, unknown>)[name] !== null),
  )

/** Agents, teams and a profile in memory, that remember who asked for what. */
function inMemory() {
  const agents = new Map<string, Agent>()
  const teams = new Map<string, AgentTeam>()
  let answering: Answering = { agent: 'assistant', team: null, byKeywords: false }
  const acts: string[] = []
  let profile: Profile = { facts: [], interests: [], instructions: [] }
  const act = (by: { id: string }, what: string) => acts.push(`${by.id} ${what}`)
  const missing = (ref: string): never => {
    throw new CountersignError('not_found', `There is no ${ref}.`)
  }
  const get = (ref: string) => agents.get(ref) ?? missing(ref)
  const parts: AgentParts = {
    agents: {
      list: () => Promise.resolve([...agents.values()]),
      get: async (ref) => get(ref),
      async add(by, settings) {
        const agent: Agent = {
          ...settings,
          id: settings.name.toLowerCase(),
          kind: 'custom',
          builtIn: false,
          changed: false,
          isDefault: false,
          label: null,
          updatedAt: '2026-08-01T12:00:00Z',
        }
        agents.set(agent.id, agent)
        return { agent, ledger: act(by, `add ${agent.id}`) }
      },
      async change(by, ref, change) {
        const agent = Agent.parse(without({ ...get(ref), ...change }, change))
        agents.set(ref, agent)
        return { agent, ledger: act(by, `change ${ref}`) }
      },
      async remove(by, ref) {
        get(ref)
        agents.delete(ref)
        return { id: ref, restored: false, ledger: act(by, `remove ${ref}`) }
      },
      choose: async (by, ref) => ({ agent: { ...get(ref), isDefault: true }, ledger: act(by, `use ${ref}`) }),
      resync: async (by) => ({
        added: ['writer'],
        updated: [],
        unchanged: [],
        kept: ['coder'],
        ledger: act(by, 'resync'),
      }),
    },
    teams: {
      list: () => Promise.resolve([...teams.values()]),
      get: async (ref) => teams.get(ref) ?? missing(ref),
      async add(by, settings) {
        const team = { ...settings, id: 'team_1', updatedAt: '2026-08-01T12:00:00Z' }
        teams.set(team.id, team)
        return { team, ledger: act(by, 'add team') }
      },
      async change(by, ref, change) {
        const team = AgentTeam.parse(without({ ...(teams.get(ref) ?? missing(ref)), ...change }, change))
        teams.set(ref, team)
        return { team, ledger: act(by, `change team ${ref}`) }
      },
      remove: async (by, ref) => ({ id: ref, ledger: act(by, `remove team ${ref}`) }),
      route: async (_, text) => ({ agent: 'cook', by: 'keywords', matched: [text] }),
    },
    answering: {
      get: async () => answering,
      async change(by, { agent, team, byKeywords }) {
        answering = {
          agent: agent ?? answering.agent,
          team: team === undefined ? answering.team : team,
          byKeywords: byKeywords ?? answering.byKeywords,
        }
        return { answering, ledger: act(by, 'answering') }
      },
    },
    profiles: {
      get: async () => ({ profile, label: null, updatedAt: null }),
      async set(by, given) {
        profile = given
        return { profile, ledger: act(by, 'profile') }
      },
    },
    reset: async (_, agent, by) => ({ conversations: 2, ledger: act(by, `reset ${agent}`) }),
    prompt: async (_, agent, about) => ({
      agent,
      text: JSON.stringify(about),
      length: 4,
      tokens: 1,
      longest: 16_000,
      label: { integrity: 'operator', confidentiality: 'public', sources: [] },
      sections: [{ name: 'base', length: 4 }],
      dropped: [],
      cut: [],
      tools: { has: 3, shown: ['search_tools'] },
      model: 'default',
    }),
  }
  return { parts, acts }
}

let assistant: ReturnType<typeof inMemory>
let client: RouteApp['client']
beforeEach(() => {
  assistant = inMemory()
  ;({ client } = routeApp((routes) => addAgentRoutes(routes, assistant.parts)))
})

const cook = { name: 'Cook', systemPrompt: 'You cook.' }

describe('the routes of agents', () => {
  test('add, list, show, change, choose, reset and remove, each with its number', async () => {
    expect((await client.addAgent(cook)).agent).toMatchObject({ id: 'cook', ...AgentSettings.parse(cook) })
    expect(await client.agents()).toHaveLength(1)
    expect((await client.changeAgent('cook', { emoji: '🍲', maxTurns: 5 })).agent).toMatchObject({
      emoji: '🍲',
    })
    expect((await client.changeAgent('cook', { emoji: null })).agent.emoji).toBeUndefined()
    expect((await client.useAgent('cook')).agent.isDefault).toBe(true)
    expect(await client.resetAgent('cook')).toMatchObject({ id: 'cook', conversations: 2 })
    expect(await client.resyncAgents()).toMatchObject({ added: ['writer'], kept: ['coder'] })
    expect(await client.removeAgent('cook')).toMatchObject({ restored: false })
    expect(assistant.acts).toEqual([
      'laptop add cook',
      'laptop change cook',
      'laptop change cook',
      'laptop use cook',
      'laptop reset cook',
      'laptop resync',
      'laptop remove cook',
    ])
  })

  test('show the prompt of the next run, for a goal and a message', async () => {
    await client.addAgent(cook)
    const { text } = await client.agentPrompt('cook', { goal: 'goal_1', text: 'Soup & salad?' })
    expect(JSON.parse(text)).toEqual({ goal: 'goal_1', text: 'Soup & salad?' })
    await expect(client.agentPrompt('nobody')).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.agentPrompt('cook', { session: 'mine' })).rejects.toMatchObject({ code: 'usage' })
  })

  test('refuse what is no agent', async () => {
    await client.addAgent(cook)
    for (const wrong of [
      { ...cook, systemPrompt: ' ' },
      { ...cook, systemPrompt: 'x'.repeat(8_001) },
      { ...cook, name: 'two\nlines' },
      { ...cook, model: 'gpt' },
      { ...cook, maxTurns: 0 },
      { ...cook, kind: 'user' },
      { ...cook, dataAccess: ['passwords' as 'notes'] },
      { ...cook, temperature: 2.1 },
    ])
      await expect(client.addAgent(wrong)).rejects.toMatchObject({ code: 'usage' })
    await expect(client.changeAgent('cook', { name: null } as never)).rejects.toMatchObject({ code: 'usage' })
    await expect(client.changeAgent('nobody', { name: 'A' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.resetAgent('nobody')).rejects.toMatchObject({ code: 'not_found' })
    expect(assistant.acts).toEqual(['laptop add cook'])
  })
})

describe('the routes of teams and the profile', () => {
  test('add, change, route and remove a team', async () => {
    const { team } = await client.addAgentTeam({ name: 'Kitchen', agents: ['cook'] })
    expect(team).toMatchObject({ router: { kind: 'keywords' } })
    expect((await client.changeAgentTeam(team.id, { router: { kind: 'first' } })).team.router.kind).toBe(
      'first',
    )
    expect(await client.routeInTeam(team.id, 'soup')).toEqual({
      agent: 'cook',
      by: 'keywords',
      matched: ['soup'],
    })
    expect(await client.agentTeams()).toHaveLength(1)
    expect(await client.agentTeam(team.id)).toMatchObject({ name: 'Kitchen' })
    expect(await client.removeAgentTeam(team.id)).toMatchObject({ id: team.id })
    for (const wrong of [
      { name: 'A', agents: [] },
      { name: 'A', agents: ['Cook!'] },
      { name: 'A', agents: ['cook'], router: { kind: 'chance' as 'first' } },
    ])
      await expect(client.addAgentTeam(wrong)).rejects.toMatchObject({ code: 'usage' })
    await expect(client.routeInTeam(team.id, '')).rejects.toMatchObject({ code: 'usage' })
  })

  test('set and show the profile', async () => {
    expect(await client.profile()).toMatchObject({ updatedAt: null })
    const given = { name: 'Ana', facts: ['Lives in Graz'], autonomy: 'low' as const }
    expect((await client.setProfile(given)).profile).toMatchObject({ ...given, interests: [] })
    await expect(client.setProfile({ autonomy: 'all' as 'low' })).rejects.toMatchObject({ code: 'usage' })
    await expect(client.setProfile({ facts: ['two\nlines'] })).rejects.toMatchObject({ code: 'usage' })
  })
})
