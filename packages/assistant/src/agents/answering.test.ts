import { AgentSettings, type SessionId, TeamSettings } from '@countersign/contract'
import { beforeEach, expect, test } from 'vitest'
import { type Address, createAddress } from '../addressee.ts'
import { type Agents, createAgents } from './agents.ts'
import { type AnsweringSettings, createAnswering } from './answering.ts'
import { createTeams, type Teams } from './teams.ts'
import { createTestContext, laptop, type TestContext } from './testing/test-context.ts'

let context: TestContext
let agents: Agents
let teams: Teams
let answering: AnsweringSettings
let address: Address
let cook: string
let writer: string
beforeEach(async () => {
  context = createTestContext()
  agents = createAgents({ context, toolNames: () => Promise.resolve(new Set()) })
  teams = createTeams({ context, agents })
  answering = createAnswering({ context, agents, teams })
  address = createAddress({ context, agents, teams, answering })
  cook = await agent('Cook', ['soup', 'meal'])
  writer = await agent('Writer', ['letter', 'soup'])
})

async function agent(name: string, keywords: string[]): Promise<string> {
  const settings = AgentSettings.parse({ name, systemPrompt: 'You work.', triggers: { keywords } })
  return (await agents.add(laptop, settings)).agent.id
}
const team = async (members: string[], more: object = {}) =>
  (await teams.add(laptop, TeamSettings.parse({ name: 'Office', agents: members, ...more }))).team.id
const to = (text: string, session: SessionId | null = null) => address({ session, text })

test('the assistant answers until something else is chosen, and nothing is looked for', async () => {
  expect(await answering.get()).toEqual({ agent: 'assistant', team: null, byKeywords: false })
  expect((await to('A soup, please')).work).toBeUndefined()
})

test('the agent answers whose keywords are in the message, where the operator wants that', async () => {
  await answering.change(laptop, { byKeywords: true })
  expect((await to('A soup and a meal')).work).toMatchObject({ agent: cook })
  expect((await to('A letter')).work).toMatchObject({ agent: writer })
  expect((await to('A letter')).work?.team).toBeUndefined()
  // Nobody's keyword: whoever is the default.
  expect((await to('Good morning')).work).toBeUndefined()
  await agents.change(laptop, writer, { enabled: false })
  expect((await to('A letter')).work).toBeUndefined()
  // A conversation that goes on stays with whom it was begun.
  expect(await to('A soup', 'ses_1' as SessionId)).toEqual({})
})

test('a default team takes what names nobody, with its name, until another agent is used', async () => {
  const id = await team([writer, cook])
  await answering.change(laptop, { team: 'office' })
  expect(await answering.get()).toMatchObject({ team: id })
  expect((await to('A meal')).work).toMatchObject({ agent: cook, team: id })
  expect((await to('Anything')).work).toMatchObject({ agent: writer, team: id })
  await agents.choose(laptop, cook)
  expect(await answering.get()).toMatchObject({ agent: cook, team: null })
  expect(await to('A letter')).toHaveProperty('answeredBy')
})

test('a team that is gone, or has nobody left, refuses no message', async () => {
  const id = await team([writer])
  await answering.change(laptop, { team: id, byKeywords: true })
  await agents.change(laptop, writer, { enabled: false })
  expect((await to('A meal')).work).toMatchObject({ agent: cook })
  await teams.remove(laptop, id)
  expect(await answering.get()).toMatchObject({ team: null })
  expect((await to('Good morning')).work).toBeUndefined()
})

test('nobody is chosen who is not there or does not talk, and nothing is not a change', async () => {
  await expect(answering.change(laptop, { agent: 'task' })).rejects.toMatchObject({ code: 'usage' })
  await expect(answering.change(laptop, { team: 'Nobody' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(answering.change(laptop, {})).rejects.toMatchObject({ code: 'usage' })
  expect(await answering.get()).toEqual({ agent: 'assistant', team: null, byKeywords: false })
})

test('each change is in the ledger', async () => {
  await answering.change(laptop, { agent: 'Cook', byKeywords: true })
  expect(context.entries.at(-1)).toEqual({
    type: 'answering.changed',
    data: { agent: cook, team: null, byKeywords: true },
  })
})
