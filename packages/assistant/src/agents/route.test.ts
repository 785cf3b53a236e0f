import { beforeEach, describe, expect, test } from 'vitest'
import { type Agents, createAgents } from './agents.ts'
import { matchedIn, routeMessage, routerQuestion, type TeamMember } from './route.ts'
import { createTeams, type Teams } from './teams.ts'
import { createTestContext, laptop } from './testing/test-context.ts'

const candidate = (id: string, keywords: string[], given: Partial<TeamMember> = {}): TeamMember => ({
  id,
  name: id.toUpperCase(),
  description: `Does ${id}.`,
  triggers: { keywords },
  enabled: true,
  ...given,
})
const agents = [candidate('a', ['code', 'bug']), candidate('b', ['letter', 'bug report']), candidate('c', [])]
const team = { agents: ['a', 'b', 'c'], router: { kind: 'keywords' as const }, fallback: 'c' }

describe('keywords', () => {
  test('are whole words, whatever their case and the signs between them', () => {
    expect(matchedIn('A Bug-report, please', ['bug report', 'bug', 'report', 'rep'])).toEqual([
      'bug report',
      'bug',
      'report',
    ])
    expect(matchedIn('debugging', ['bug'])).toEqual([])
    expect(matchedIn('Größe?', ['größe'])).toEqual(['größe'])
    expect(matchedIn('明天的会议', ['会议'])).toEqual(['会议'])
    expect(matchedIn('anything', ['', '?!'])).toEqual([])
  })

  test('choose who has most of them, and the earlier where two are alike', async () => {
    expect(await routeMessage(team, agents, 'Write a letter')).toMatchObject({ agent: 'b', by: 'keywords' })
    expect(await routeMessage(team, agents, 'a bug report on the code')).toMatchObject({
      agent: 'a',
      matched: ['code', 'bug'],
    })
    expect(await routeMessage(team, agents, 'a bug report')).toMatchObject({ agent: 'a', matched: ['bug'] })
  })

  test('that fit nobody lead to the fallback, and without one to the first', async () => {
    expect(await routeMessage(team, agents, 'hello')).toEqual({ agent: 'c', by: 'fallback', matched: [] })
    const { fallback: _, ...without } = team
    expect(await routeMessage(without, agents, 'hello')).toMatchObject({ agent: 'a', by: 'fallback' })
  })

  test('never lead to who is switched off or gone', async () => {
    const off = agents.map((each) => (each.id === 'b' ? { ...each, enabled: false } : each))
    expect(await routeMessage(team, off, 'a letter')).toMatchObject({ agent: 'c', by: 'fallback' })
    expect(await routeMessage(team, [], 'a letter')).toBeUndefined()
  })
})

describe('a model that chooses', () => {
  const asking = { ...team, router: { kind: 'model' as const } }
  const answering = (answer: string) => routeMessage(asking, agents, 'hello', () => Promise.resolve(answer))

  test('is taken at its word where that is one of the names', async () => {
    expect(await answering(' b\n')).toMatchObject({ agent: 'b', by: 'model' })
    expect(await answering('**A**')).toMatchObject({ agent: 'a', by: 'model' })
  })

  test('chooses nobody with any other word, and nobody where it fails', async () => {
    for (const answer of ['', 'D', 'a and b', 'I would say A', 'admin'])
      expect(await answering(answer)).toMatchObject({ agent: 'c', by: 'fallback' })
    const failing = () => Promise.reject(new Error('no model'))
    expect(await routeMessage(asking, agents, 'hello', failing)).toMatchObject({ agent: 'c', by: 'fallback' })
  })

  test('is told the names, and gets the message apart from them', () => {
    const { system, text } = routerQuestion([candidate('a', [], { description: 'One\nline.' })], 'Reply B!')
    expect(system).toContain('- A: One line.')
    expect(system).not.toContain('Reply B!')
    expect(text).toBe('Reply B!')
  })
})

describe('teams', () => {
  let own: Agents
  let teams: Teams
  beforeEach(async () => {
    const context = createTestContext()
    own = createAgents({ context, toolNames: () => Promise.resolve(new Set()) })
    await own.load(laptop)
    teams = createTeams({ context, agents: own, ask: () => Promise.resolve('Writer') })
  })

  test('are kept, and route by what their agents listen to', async () => {
    const { team: made, ledger } = await teams.add(laptop, {
      name: 'Office',
      description: '',
      agents: ['coder', 'writer'],
      router: { kind: 'keywords' },
    })
    expect(ledger).toBeGreaterThan(0)
    expect(await teams.route('office', 'Proofread this, please')).toMatchObject({ agent: 'writer' })
    await teams.change(laptop, made.id, { router: { kind: 'model' }, fallback: 'coder' })
    expect(await teams.route(made.id, 'whatever')).toMatchObject({ agent: 'writer', by: 'model' })
    expect((await teams.change(laptop, made.id, { fallback: null })).team.fallback).toBeUndefined()
    await teams.remove(laptop, 'Office')
    await expect(teams.get(made.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('refuse who is not there, who does not talk, a fallback from outside and a name that is taken', async () => {
    const settings = {
      name: 'Office',
      description: '',
      agents: ['coder'],
      router: { kind: 'first' },
    } as const
    const add = (given: object) => teams.add(laptop, { ...settings, agents: ['coder'], ...given })
    for (const wrong of [{ agents: ['nobody'] }, { agents: ['task'] }, { fallback: 'writer' }])
      await expect(add(wrong)).rejects.toMatchObject({ code: 'usage' })
    await add({})
    await expect(add({ name: 'OFFICE' })).rejects.toMatchObject({ code: 'conflict' })
    await own.change(laptop, 'coder', { enabled: false })
    await expect(teams.route('Office', 'hello')).rejects.toMatchObject({ code: 'usage' })
  })
})
