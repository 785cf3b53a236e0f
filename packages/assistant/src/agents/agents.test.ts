import { AgentSettings, type Label } from '@countersign/contract'
import { groups } from '@countersign/tools'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Agents, createAgents } from './agents.ts'
import { builtInAgents } from './builtin.ts'
import { defaultAgents, loadDefaults, resyncDefaults } from './defaults.ts'
import { createTestContext, laptop, type TestContext } from './testing/test-context.ts'

const known = new Set(['read_file', 'write_file'])
const settings = (given: Partial<AgentSettings> = {}) =>
  AgentSettings.parse({ name: 'Cook', systemPrompt: 'You cook.', ...given })

let context: TestContext
let agents: Agents
beforeEach(() => {
  context = createTestContext()
  agents = createAgents({ context, toolNames: () => Promise.resolve(known) })
})

describe('agents', () => {
  test('are there before anything is kept, and the assistant answers', async () => {
    const list = await agents.list()
    expect(list.map(({ id, kind }) => [id, kind])).toEqual([
      ['assistant', 'user'],
      ['goal', 'goal'],
      ['task', 'task'],
      ['plan', 'plan'],
      ['feed', 'feed'],
      ['reception', 'guest'],
    ])
    expect(await agents.chosen(context.rows)).toBe('assistant')
    expect(context.entries).toEqual([])
  })

  test('are added, found by id and by name, changed and removed, each with its entry', async () => {
    const { agent } = await agents.add(laptop, settings({ tools: ['read_file'], toolGroups: ['notes'] }))
    expect(agent).toMatchObject({ kind: 'custom', builtIn: false, changed: false, model: 'default' })
    expect(agent.id).toMatch(/^agent_[0-9a-f]{32}$/)
    expect(await agents.get('cook')).toEqual(agent)
    const changed = await agents.change(laptop, agent.id, { emoji: '🍲', model: 'openai/gpt' })
    expect(changed.agent).toMatchObject({ emoji: '🍲', model: 'openai/gpt', name: 'Cook' })
    expect((await agents.change(laptop, agent.id, { emoji: null })).agent.emoji).toBeUndefined()
    expect(await agents.remove(laptop, 'Cook')).toMatchObject({ id: agent.id, restored: false })
    await expect(agents.get(agent.id)).rejects.toMatchObject({ code: 'not_found' })
    expect(context.entries.map(({ type }) => type)).toEqual([
      'agent.added',
      'agent.changed',
      'agent.changed',
      'agent.removed',
    ])
  })

  test('are refused with a name that is taken, a tool or a group that is not there, and nothing to change', async () => {
    const { agent } = await agents.add(laptop, settings())
    await expect(agents.add(laptop, settings({ name: ' ASSISTANT ' }))).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(agents.add(laptop, settings({ name: 'A', tools: ['read_fiel'] }))).rejects.toMatchObject({
      code: 'usage',
      message: 'There is no tool named read_fiel.',
    })
    await expect(agents.add(laptop, settings({ name: 'A', toolGroups: ['kitchen'] }))).rejects.toMatchObject({
      code: 'usage',
    })
    await expect(agents.change(laptop, agent.id, {})).rejects.toMatchObject({ code: 'usage' })
    await expect(agents.change(laptop, agent.id, { name: 'Goal' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect((await agents.change(laptop, agent.id, { name: 'COOK' })).agent.name).toBe('COOK')
  })

  test('that are built in are changed and put back, and never gone', async () => {
    const before = await agents.get('assistant')
    const { agent } = await agents.change(laptop, 'assistant', { systemPrompt: 'You are Bob.' })
    expect(agent).toMatchObject({ systemPrompt: 'You are Bob.', name: 'Assistant', changed: true })
    expect((await context.rows.get('agents', 'assistant'))?.data).toEqual({ systemPrompt: 'You are Bob.' })
    expect(await agents.remove(laptop, 'assistant')).toMatchObject({ restored: true })
    expect(await agents.get('assistant')).toEqual(before)
    await expect(agents.remove(laptop, 'assistant')).rejects.toMatchObject({ code: 'usage' })
    await expect(agents.change(laptop, 'assistant', { enabled: false })).rejects.toMatchObject({
      code: 'usage',
    })
  })

  test('are chosen to answer only where they can, and the assistant answers for one that is gone', async () => {
    const { agent } = await agents.add(laptop, settings())
    expect((await agents.choose(laptop, 'Cook')).agent.isDefault).toBe(true)
    expect(await agents.chosen(context.rows)).toBe(agent.id)
    expect((await agents.list()).filter(({ isDefault }) => isDefault)).toHaveLength(1)
    await expect(agents.choose(laptop, 'task')).rejects.toMatchObject({ code: 'usage' })
    await agents.change(laptop, agent.id, { enabled: false })
    expect(await agents.chosen(context.rows)).toBe('assistant')
    await expect(agents.choose(laptop, agent.id)).rejects.toMatchObject({ code: 'usage' })
    await agents.remove(laptop, agent.id)
    expect(await agents.chosen(context.rows)).toBe('assistant')
  })

  test('keep the label of what led to them, also after a change by hand', async () => {
    const label: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['x.example'] }
    await context.rows.insert('agents', 'agent_1', settings(), label)
    expect((await agents.get('agent_1')).label).toEqual(label)
    expect((await agents.change(laptop, 'agent_1', { emoji: '🍲' })).agent.label).toEqual(label)
  })
})

describe('the agents that come with the product', () => {
  test('name only groups that exist, and no two alike', () => {
    for (const { settings: each } of defaultAgents)
      for (const group of each.toolGroups) expect(Object.keys(groups)).toContain(group)
    const names = [...defaultAgents, ...builtInAgents].flatMap((each) => [
      each.id,
      each.settings.name.toLowerCase(),
    ])
    const ids = [...defaultAgents, ...builtInAgents].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(names).size).toBe(ids.length)
  })

  test('say how much one run may do and how freely it words things', () => {
    expect(defaultAgents).toHaveLength(6)
    for (const { settings } of defaultAgents)
      expect(settings).toMatchObject({
        maxTokens: 8_192,
        temperature: 0.7,
        maxTurns: 25,
        maxToolCalls: 200,
      })
  })

  test('are laid out once: one that was removed stays away until it is asked for', async () => {
    expect((await agents.load(laptop)).added).toEqual(defaultAgents.map(({ id }) => id))
    await agents.remove(laptop, 'writer')
    expect(await agents.load(laptop)).toMatchObject({ added: [] })
    await expect(agents.get('writer')).rejects.toMatchObject({ code: 'not_found' })
    expect(await agents.resync(laptop)).toMatchObject({ added: ['writer'], updated: [], kept: [] })
    expect(await agents.get('writer')).toMatchObject({ changed: false, builtIn: false })
  })

  test('are brought up to date, but for what the operator changed', async () => {
    const version = (prompt: string) =>
      defaultAgents
        .slice(0, 2)
        .map(({ id, settings: each }) => ({ id, settings: { ...each, systemPrompt: prompt } }))
    await loadDefaults(context.rows, version('first'))
    await agents.change(laptop, 'writer', { emoji: '🖋️' })
    expect((await agents.get('writer')).changed).toBe(true)
    expect(await loadDefaults(context.rows, version('second'))).toMatchObject({ updated: [], added: [] })
    expect((await agents.get('researcher')).systemPrompt).toBe('first')
    expect(await resyncDefaults(context.rows, version('second'))).toEqual({
      added: [],
      updated: ['researcher'],
      unchanged: [],
      kept: ['writer'],
    })
    expect(await agents.get('researcher')).toMatchObject({ systemPrompt: 'second', changed: false })
    expect(await agents.get('writer')).toMatchObject({ systemPrompt: 'first', emoji: '🖋️' })
    expect(await resyncDefaults(context.rows, version('second'))).toMatchObject({ unchanged: ['researcher'] })
  })

  test('leave an agent of the operator alone that has the same id', async () => {
    await context.rows.insert('agents', 'coder', settings(), null)
    expect(await loadDefaults(context.rows)).toMatchObject({ kept: ['coder'] })
    expect((await agents.get('coder')).systemPrompt).toBe('You cook.')
  })
})
