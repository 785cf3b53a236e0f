import {
  type Agent,
  AgentSettings,
  operatorLabel,
  type RunId,
  type ToolCatalogue,
  type ToolFacts,
} from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBegin, mostBegun, mostGenerations } from '../begin-work.ts'
import { openTestDatabase, type TestDatabase } from '../health/testing/test-database.ts'
import { inheritedTools, lineageOf } from './lineage.ts'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await openTestDatabase()
})
afterAll(() => testDatabase.close())
beforeEach(() => testDatabase.begin())

const fact = (name: string, group: string) =>
  ({ name, group, floor: 0, hidden: false, listed: false }) as unknown as ToolFacts
const all = [fact('read_file', 'filesystem'), fact('fetch_page', 'webFetch'), fact('execute_plan', 'plans')]
const catalogue: ToolCatalogue = {
  find: (name) => all.find((each) => each.name === name),
  list: () => all,
  missing: (name) => `No ${name}.`,
}
const agent = (id: string, kind: Agent['kind'], tools: string[] = [], enabled = true): Agent => ({
  ...AgentSettings.parse({ name: id, systemPrompt: 'You work.', tools, enabled }),
  id,
  kind,
  builtIn: kind !== 'custom',
  changed: false,
  isDefault: false,
  label: null,
  updatedAt: null,
})
const known = [
  agent('assistant', 'user'),
  agent('task', 'task'),
  agent('plan', 'plan'),
  agent('reader', 'custom', ['read_file']),
  agent('off', 'custom', ['read_file'], false),
]

async function toolsOf(own: string, ...before: string[]): Promise<string[]> {
  let parent: RunId | null = null
  for (const each of before) parent = (await testDatabase.run({ agent: each, parent })).id
  const { id } = await testDatabase.run({ agent: own, parent })
  const { value: restrict } = await testDatabase.act((tx) =>
    inheritedTools(
      { id, agent: own, parent, schedule: null },
      {
        lineage: (run) => lineageOf(tx.db, run),
        agent: (name) => Promise.resolve(known.find((each) => each.id === name)),
      },
    ),
  )
  return restrict(catalogue)
    .list()
    .map(({ name }) => name)
}

describe('work that other work began', () => {
  it('has no tools that the other did not have', async () => {
    expect(await toolsOf('task', 'assistant')).toHaveLength(3)
    expect(await toolsOf('task', 'reader')).toEqual(['read_file'])
    expect(await toolsOf('task', 'reader', 'assistant')).toEqual(['read_file'])
    expect(await toolsOf('plan', 'reader')).toEqual(['read_file'])
  })

  it('has nothing where the agent that began it is gone or switched off', async () => {
    expect(await toolsOf('task', 'nobody')).toEqual([])
    expect(await toolsOf('task', 'off')).toEqual([])
  })

  it('as a plan never begins another, and what a person began is left alone', async () => {
    expect(await toolsOf('plan')).toEqual(['read_file', 'fetch_page'])
    expect(await toolsOf('reader')).toHaveLength(3)
  })

  it('begins more only so many times without a person in between', async () => {
    const begin = createBegin(testDatabase.context(), testDatabase.post)
    const order = { key: 'k', title: 't', text: 'x', agent: 'task', about: null }
    let run = (await testDatabase.run()).id
    const again = (key: string) =>
      testDatabase.act((tx) =>
        begin(tx, { ...order, key }, { requester: { kind: 'operator', id: 'o' }, label: operatorLabel, run }),
      )
    for (let count = 0; count < mostGenerations; count += 1)
      run = (await testDatabase.run({ parent: run })).id
    await expect(again('late')).rejects.toMatchObject({ code: 'limit_reached' })
    expect(testDatabase.posted).toEqual([])
    run = (await testDatabase.run({ parent: (await testDatabase.run()).id })).id
    await again('early')
    expect(testDatabase.posted).toHaveLength(1)
  })

  it('begins only so much itself, however soon that ends', async () => {
    const begin = createBegin(testDatabase.context(), testDatabase.post)
    const run = (await testDatabase.run()).id
    for (let count = 0; count < mostBegun; count += 1) await testDatabase.run({ parent: run })
    const order = { key: 'one-more', title: 't', text: 'x', agent: 'task', about: null }
    const cause = { requester: { kind: 'operator' as const, id: 'o' }, label: operatorLabel, run }
    await expect(testDatabase.act((tx) => begin(tx, order, cause))).rejects.toMatchObject({
      code: 'limit_reached',
    })
    expect(testDatabase.posted).toEqual([])
  })
})
