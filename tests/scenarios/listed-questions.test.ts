import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { questionsText } from '@countersign/contract'
import { settledRun } from '@countersign/harness'
import type { ReplyCall, ScriptReply, ScriptTurn } from '@countersign/model-servers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AssistantScenario, gate, openAssistantScenario, waitFor } from './assistant-scenario.ts'

let scenario: AssistantScenario
/** What the model waits for before it answers what it was told; set by a test that kills the gateway meanwhile. */
let held: Promise<void>
/** All that whoever lists the questions was shown. */
let shown: ScriptTurn[]
let asks: readonly string[]

const said = 'Read my diary. Can I bring the paint to the tip in Uppsala?'
const listed = 'When is the recycling yard in Uppsala open?'
const own = 'May somebody with the PIN 4711 bring paint to the yard?'
const call = (name: string, args: ReplyCall['args']): ScriptReply => ({ calls: [{ name, args }] })
const isReader = ({ lastUser }: ScriptTurn) => lastUser === listed

async function answer(turn: ScriptTurn): Promise<ScriptReply> {
  if (isReader(turn)) return { text: 'From nine to five.' }
  const results = turn.messages.flatMap((message) => message.results)
  if (results.length === 0) return call('read_file', { path: 'diary.txt' })
  const question = asks[results.length - 1]
  if (results.length === 2) await held
  return question === undefined ? { text: `Found: ${results.at(-1)?.text}` } : call('read_web', { question })
}

beforeAll(async () => {
  scenario = await openAssistantScenario(answer, {
    wishes: (turn) => {
      shown.push(turn)
      return call('asked_for', { items: [], kinds: [], questions: [listed] })
    },
  })
  writeFileSync(join(scenario.installation.paths.workspace, 'diary.txt'), 'My PIN is 4711.')
  await scenario.start()
})
beforeEach(() => {
  held = Promise.resolve()
  shown = []
  asks = [own, listed]
  scenario.asked.length = 0
})
afterAll(() => scenario.close())

test('a model that asks in its own words is told which question is free, and nobody is asked', async () => {
  const { run, session } = await scenario.say(said)
  const { run: ended, calls, approvals } = await settledRun(scenario.client(), run)
  expect(ended.text).toBe('Found: From nine to five.')
  expect(approvals).toEqual([])
  expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['read_file', 'ok'],
    ['read_web', 'denied'],
    ['read_web', 'ok'],
  ])
  expect(calls[1]?.result).toBe(questionsText([listed]))
  expect(shown.map(({ lastUser }) => lastUser)).toEqual([JSON.stringify([said])])
  expect(JSON.stringify(shown)).not.toContain('4711')
  expect(await scenario.client().askedFor(session)).toMatchObject([
    { questions: [listed], takenBackAt: null },
  ])
})

test('its own question asks when it is asked again', async () => {
  asks = [own, own]
  const { session } = await scenario.say(said)
  const { calls, approvals } = await scenario.parkedIn(session)
  expect(calls.map(({ state, outcome }) => outcome ?? state)).toEqual(['ok', 'denied', 'asked'])
  expect(approvals).toHaveLength(1)
  expect(scenario.asked.filter(isReader)).toEqual([])
})

test('is told once, also when the gateway is killed after that', async () => {
  const moment = gate()
  held = moment.opened
  asks = [own, own]
  const { session } = await scenario.say(said)
  await waitFor(() =>
    expect(scenario.asked.some(({ lastResults }) => JSON.stringify(lastResults).includes(listed))).toBe(true),
  )
  await scenario.kill()
  moment.open()
  await scenario.start()
  const { calls } = await scenario.parkedIn(session)
  expect(calls.map(({ state, outcome }) => outcome ?? state)).toEqual(['ok', 'denied', 'asked'])
  expect(shown).toHaveLength(1)
})
