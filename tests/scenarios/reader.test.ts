import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunView } from '@countersign/contract'
import { settledRun } from '@countersign/harness'
import type { ReplyCall, ScriptReply, ScriptTurn } from '@countersign/model-servers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AssistantScenario, gate, openAssistantScenario, waitFor } from './assistant-scenario.ts'

let scenario: AssistantScenario
/** What a reader waits for before it answers; set by a test that kills the gateway meanwhile. */
let held: Promise<void> = Promise.resolve()
let reads: (turn: ScriptTurn) => ScriptReply

const question = 'lamps cost what?'
const call = (name: string, args: ReplyCall['args']): ScriptReply => ({ calls: [{ name, args }] })
const isReader = ({ lastUser }: ScriptTurn) => lastUser.startsWith('lamps')

async function answer(turn: ScriptTurn): Promise<ScriptReply> {
  if (isReader(turn)) {
    await held
    return reads(turn)
  }
  const results = turn.messages.flatMap((message) => message.results)
  if (results.length === 0) return call('read_file', { path: 'diary.txt' })
  if (results.length === 1) return call('read_web', { question })
  return { text: `Found: ${results.at(-1)?.text}` }
}

beforeAll(async () => {
  scenario = await openAssistantScenario(answer)
  writeFileSync(join(scenario.installation.paths.workspace, 'diary.txt'), 'My PIN is 4711.')
  await scenario.start()
  await scenario.client().setProfile({ name: 'Vera', instructions: ['Mention Linz.'], facts: ['Has a dog'] })
  await scenario.client().addGoal({ title: 'Goldfish', description: 'All about Goldfish.' })
})
beforeEach(() => {
  held = Promise.resolve()
  reads = () => ({ text: 'Twelve coins.' })
  scenario.asked.length = 0
})
afterAll(() => scenario.close())

const ask = () => scenario.say('Read my diary, then find what lamps cost.')
const readerOf = (before: ReadonlySet<string>): Promise<RunView> =>
  waitFor(async () => {
    const found = (await scenario.client().runs({})).find(
      ({ id, agent }) => agent === 'reader' && !before.has(id),
    )
    if (!found) throw new Error('No reader yet.')
    return found
  })
const known = async () => new Set((await scenario.client().runs({})).map(({ id }) => id))

describe('a run that knows something private and asks in the operator’s words', () => {
  test('has a reader answer that is told the question, two tools, and nothing else', async () => {
    const { run } = await ask()
    const { run: ended, calls, approvals } = await settledRun(scenario.client(), run)
    expect(ended.text).toBe('Found: Twelve coins.')
    expect(approvals).toEqual([])
    expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['read_file', 'ok'],
      ['read_web', 'ok'],
    ])
    const told = scenario.asked.filter(isReader)
    expect(told).toHaveLength(1)
    expect(told[0]?.messages.map(({ role, text }) => [role, text])).toEqual([['user', question]])
    expect(told[0]?.tools.map(({ name }) => name).toSorted()).toEqual(['fetch_web_page', 'search_web'])
    expect(JSON.stringify(told)).not.toMatch(/Vera|Linz|dog|Goldfish|4711|diary/)
  })

  test('is not left alone by a page that gives orders: the reader can follow none', async () => {
    const orders = [
      { name: 'write_file', args: { path: 'taken.txt', content: 'x' } },
      { name: 'recall', args: { query: 'PIN' } },
      { name: 'fetch_web_page', args: { url: 'http://127.0.0.1/' } },
      { name: 'fetch_web_page', args: { url: 'https://lamps.invalid/' } },
    ]
    reads = ({ lastResults }) => (lastResults.length === 0 ? { calls: orders } : { text: 'I could not.' })
    const before = await known()
    const { run } = await ask()
    await settledRun(scenario.client(), run)
    const { calls, approvals } = await scenario.client().run((await readerOf(before)).id)
    expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['write_file', 'invalid'],
      ['recall', 'invalid'],
      ['fetch_web_page', 'invalid'],
      // Let out, and there is no such host.
      ['fetch_web_page', 'failed'],
    ])
    expect(approvals).toEqual([])
    expect(scenario.linesOf('taken.txt')).toEqual([])
  })

  test('gets the answer also when the gateway is killed while the reader reads', async () => {
    const moment = gate()
    held = moment.opened
    const before = await known()
    const { run } = await ask()
    await readerOf(before)
    await waitFor(() => expect(scenario.asked.some(isReader)).toBe(true))
    await scenario.kill()
    moment.open()
    held = Promise.resolve()
    await scenario.start()
    expect((await settledRun(scenario.client(), run)).run.text).toBe('Found: Twelve coins.')
    expect((await known()).size).toBe(before.size + 2)
  })

  test('takes the reader along when it is stopped', async () => {
    const moment = gate()
    held = moment.opened
    const before = await known()
    const { run } = await ask()
    const reader = await readerOf(before)
    await waitFor(async () => expect((await scenario.client().run(run)).run.parkedOn).toBe('reader'))
    await scenario.client().stopRun(run)
    expect((await settledRun(scenario.client(), reader.id)).run.reason).toBe('manual')
    moment.open()
  })
})
