/** Who answers, what a team shares, tools of one conversation, folders of agents, and what is kept with a message. */
import { type GatewayProcess, type Installation, openInstallation, settledRun } from '@countersign/harness'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let installation: Installation
let gateway: GatewayProcess
const seen: { system: string; tools: string[]; users: string[] }[] = []
beforeAll(async () => {
  installation = await openInstallation({
    script: (request) => {
      const { lastResults, lastUser, system, tools } = request
      seen.push({ system, tools: tools.map(({ name }) => name), users: [JSON.stringify(request.messages)] })
      if (lastResults.length > 0) return { text: `Told: ${lastResults.map(({ text }) => text).join(' ')}` }
      const [, path] = /write (\S+)/.exec(lastUser) ?? []
      if (path === undefined) return { text: 'Good.', reasoning: 'A greeting, so greet.' }
      return { calls: [{ name: 'write_file', args: { path, content: 'x' } }] }
    },
    environment: { COUNTERSIGN_AUTONOMY: 'medium' },
  })
  gateway = await installation.start()
})
afterAll(() => installation.close())

async function say(text: string, more: object = {}) {
  const sent = await gateway.client.send({
    key: crypto.randomUUID(),
    session: null,
    text,
    mode: 'auto',
    ...more,
  })
  const { run } = await settledRun(gateway.client, sent.run ?? '', 'stopped')
  return { ...run, session: sent.session }
}

test('a team answers by default, and every agent of it is told what it shares', async () => {
  const { client } = gateway
  const { agent } = await client.addAgent({
    name: 'Baker',
    systemPrompt: 'You bake.',
    triggers: { keywords: ['bread'] },
    tools: ['read_file'],
  })
  const { team } = await client.addAgentTeam({
    name: 'Kitchen',
    agents: ['writer', agent.id],
    sharedContext: 'The oven is broken.',
  })
  await client.setAnswering({ team: team.id })
  expect((await say('Some bread')).agent).toBe(agent.id)
  expect(seen.at(-1)?.system).toContain('<team name="Kitchen">The oven is broken.</team>')
  expect((await say('Hello')).agent).toBe('writer')
  await client.setAnswering({ team: null, byKeywords: true })
  expect((await say('Some bread')).agent).toBe(agent.id)
  expect(seen.at(-1)?.system).not.toContain('The oven is broken.')
  await client.setAnswering({ byKeywords: false })
  expect((await say('Some bread')).agent).toBe('assistant')
})

test('extra tools hold in their conversation and in no other', async () => {
  const { client } = gateway
  const before = await say('write a.txt', { agent: 'Baker' })
  expect(before.text).toContain('There is no tool named write_file')
  await client.markSession(before.session, { extraTools: ['write_file'] })
  expect((await say('write a.txt', { session: before.session })).text).not.toContain('There is no tool')
  expect(seen.at(-1)?.tools).toContain('write_file')
  expect((await client.session(before.session)).session.extraTools).toEqual(['write_file'])
  expect((await say('write a.txt', { agent: 'Baker' })).text).toContain('There is no tool named write_file')
  await expect(client.markSession(before.session, { extraTools: ['no_such'] })).rejects.toMatchObject({
    code: 'usage',
  })
  await client.markSession(before.session, { extraTools: [] })
  expect((await say('write a.txt', { session: before.session })).text).toContain('There is no tool')
})

test('an agent with a folder of its own touches nothing outside of it', async () => {
  const { client } = gateway
  const { agent } = await client.addAgent({ name: 'Clerk', systemPrompt: 'You file.', folder: 'desk' })
  const refused = await say('write elsewhere.txt', { agent: agent.id })
  expect(refused.text).toContain('The agent Clerk has a folder of its own and does not allow elsewhere.txt')
  const { calls } = await client.run(refused.id)
  expect(calls.map(({ outcome }) => outcome)).toEqual(['denied'])
  const inside = await say('write desk/a.txt', { agent: agent.id })
  expect((await client.run(inside.id)).calls.map(({ outcome }) => outcome)).toEqual(['ok'])
})

test('what is kept with a message is given back and never shown to the model', async () => {
  const { session } = await say('Hello there', { metadata: { ticket: 'T-4711' } })
  const { messages } = await gateway.client.session(session)
  expect(messages.find(({ role }) => role === 'operator')?.metadata).toEqual({ ticket: 'T-4711' })
  expect(seen.at(-1)?.users.join('')).not.toContain('T-4711')
  expect(seen.at(-1)?.system).not.toContain('T-4711')
  await expect(say('Hello', { metadata: { '1': 'no name' } })).rejects.toMatchObject({ code: 'usage' })
})

test('what the model thought is kept with the run, and no model sees it again', async () => {
  const first = await say('Hello you')
  expect((await gateway.client.run(first.id)).reasoning).toEqual([{ turn: 1, text: 'A greeting, so greet.' }])
  await say('And again', { session: first.session })
  expect(seen.at(-1)?.users.join('')).toContain('Good.')
  expect(seen.at(-1)?.users.join('')).not.toContain('A greeting, so greet.')
  await gateway.client.clearSession(first.session)
  expect((await gateway.client.run(first.id)).reasoning).toEqual([])
})
