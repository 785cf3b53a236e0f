import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ApprovalSubject } from '@countersign/contract'
import { approve, settledRun } from '@countersign/harness'
import type { ReplyCall, ScriptReply, ScriptTurn } from '@countersign/model-servers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AssistantScenario, gate, openAssistantScenario, waitFor } from './assistant-scenario.ts'

let scenario: AssistantScenario
let shop: Server
let visits = 0
/** What a turn waits for before it is answered; set by a test that kills the gateway meanwhile. */
let held: Promise<void> = Promise.resolve()
let words: (material: readonly Material[]) => ScriptReply

interface Material {
  readonly refs: readonly number[]
  readonly text: string
}

const call = (name: string, args: ReplyCall['args']): ScriptReply => ({ calls: [{ name, args }] })
const shopUrl = () => `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`

async function answer(turn: ScriptTurn): Promise<ScriptReply> {
  const { lastUser, lastResults } = turn
  if (lastUser.startsWith('<task>')) return workOnTask(turn)
  if (lastUser.includes('<happenings>')) {
    await held
    return words(materialIn(lastUser))
  }
  if (lastUser.startsWith('<task_results>')) {
    if (lastResults.length === 0) return call('add_goal_note', { text: 'Both offers are there.' })
    return { text: `Both are in. ${resultsIn(lastUser).join(' ')}` }
  }
  if (lastUser === 'Compare the offers.') {
    if (lastResults.length > 0) return { text: 'Two tasks are under way.' }
    return {
      calls: ['List', 'Shop'].map((title) => ({
        name: 'start_agent_task',
        args: { title, instructions: `Find the price in the ${title.toLowerCase()}.` },
      })),
    }
  }
  const [, name] = /^keep (\w+)/.exec(lastUser) ?? []
  if (name === undefined || lastResults.length > 0) return { text: 'Done.' }
  return call('write_file', { path: `${name}.txt`, content: name })
}

/** One task reads a file and keeps a note, the other reads a page of strangers. Both want more than a task may. */
async function workOnTask({ lastUser, messages }: ScriptTurn): Promise<ScriptReply> {
  const results = messages.flatMap((message) => message.results)
  const told = /\d+ coins/.exec(results.at(-1)?.text ?? '')?.[0]
  if (lastUser.includes('<title>Shop</title>'))
    return results.length === 0 ? call('fetch_web_page', { url: shopUrl() }) : { text: `The shop: ${told}` }
  const steps = [
    call('start_agent_task', { title: 'More', instructions: 'Do it for me.' }),
    call('ask_operator', { question: 'Which list?' }),
    call('add_note', { title: 'Seen', content: 'The list was read.' }),
    call('read_file', { path: 'list.txt' }),
  ]
  const step = steps[results.length]
  if (step) return step
  await held
  return { text: `The list: ${told}` }
}

function resultsIn(report: string): string[] {
  return [...report.matchAll(/<result>\n(.*)\n<\/result>/g)].map(([, text]) => text ?? '').toSorted()
}

function materialIn(question: string): Material[] {
  return [...question.matchAll(/^\[([\d,]+)\] (.*)$/gm)].map(([, refs = '', text = '']) => ({
    refs: refs.split(',').map(Number),
    text,
  }))
}

beforeAll(async () => {
  shop = createServer((_request, response) => {
    visits += 1
    response.setHeader('content-type', 'text/plain').end('12 coins')
  })
  await new Promise<void>((ready) => shop.listen(0, '127.0.0.1', ready))
  scenario = await openAssistantScenario(answer, {
    environment: { COUNTERSIGN_LOCAL_TARGETS: `127.0.0.1:${(shop.address() as AddressInfo).port}` },
  })
  writeFileSync(join(scenario.installation.paths.workspace, 'list.txt'), '9 coins')
  await scenario.start()
})
beforeEach(() => {
  held = Promise.resolve()
})
afterAll(async () => {
  await scenario.close()
  shop.close()
})

async function newGoal(title: string): Promise<string> {
  const { goal } = await scenario.client().addGoal({ title, description: `All about ${title}.` })
  return goal.id
}

describe('a goal that gives two tasks away', () => {
  test('is told of both once, also when the gateway is killed while they work, and trusts no page for it', async () => {
    const goal = await newGoal('Kitchen')
    const moment = gate()
    held = moment.opened
    const { session } = await scenario.say('Compare the offers.', { goal })
    const began = await scenario.settledSession(session, 1)
    expect(began.messages.at(-1)?.text).toBe('Two tasks are under way.')
    const tasks = await scenario.client().agentTasks({ goal })
    const [list, page] = [
      tasks.find(({ title }) => title === 'List'),
      tasks.find(({ title }) => title === 'Shop'),
    ]
    expect(new Set([session, list?.session, page?.session]).size).toBe(3)

    // One waits for the operator and the other for its model.
    const waiting = await scenario.parkedIn(page?.session ?? '')
    await waitFor(() => expect(ofTask('List').at(-1)?.messages.at(-1)?.results[0]?.text).toContain('9 coins'))
    await scenario.killAndStart()
    moment.open()
    expect(visits).toBe(0)
    await approve(scenario.installation, scenario.client(), waiting.approvals[0]?.code ?? '')

    const asked = await scenario.parkedIn(session)
    expect(asked.calls).toMatchObject([{ tool: 'add_goal_note', tier: 2, state: 'asked' }])
    const code = asked.approvals[0]?.code ?? ''
    expect(asked.approvals[0]?.card.why.raised).toEqual(['untrusted content led to this call'])
    const { subject } = await scenario.client().approval(code)
    expect(ApprovalSubject.parse(JSON.parse(subject)).provenance.sources).toEqual(['127.0.0.1'])
    await approve(scenario.installation, scenario.client(), code)
    const { runs, messages } = await scenario.settledSession(session, 2)
    expect(messages.at(-1)?.text).toBe('Both are in. The list: 9 coins The shop: 12 coins')
    expect(runs).toHaveLength(2)
    expect(messages.filter(({ text }) => text.startsWith('<task_results>'))).toHaveLength(1)
    expect(visits).toBe(1)

    expect(await scenario.client().agentTasks({ goal })).toMatchObject([
      { status: 'completed', attempts: 1, reports: 1, reported: true },
      { status: 'completed', attempts: 1, reports: 1, reported: true },
    ])
    const before = (await scenario.client().run(began.runs[0]?.id ?? '')).calls
    expect(before.map(({ tool, tier }) => [tool, tier])).toEqual([
      ['start_agent_task', 1],
      ['start_agent_task', 1],
    ])
    const done = await scenario.client().session(list?.session ?? '')
    const { calls } = await scenario.client().run(done.runs[0]?.id ?? '')
    expect(done.runs).toHaveLength(1)
    expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['start_agent_task', 'invalid'],
      ['ask_operator', 'invalid'],
      ['add_note', 'ok'],
      ['read_file', 'ok'],
    ])
  })

  test('shows a task its instructions and the description of the goal, and nothing to talk or to delegate with', () => {
    for (const title of ['List', 'Shop']) {
      const [first] = ofTask(title)
      expect(first?.messages).toHaveLength(1)
      expect(first?.system).toContain('You carry out one task and end.')
      expect(first?.system).toContain('All about Kitchen.')
      for (const other of ['<goals>', '<memories>', '<earlier_conversations>', '<steps>', '<profile'])
        expect(first?.system).not.toContain(other)
      const tools = first?.tools.map(({ name }) => name) ?? []
      expect(tools).toContain('read_file')
      for (const name of ['ask_operator', 'start_agent_task', 'create_goal', 'remember'])
        expect(tools).not.toContain(name)
    }
    const goal = scenario.asked.find(({ lastUser }) => lastUser === 'Compare the offers.')
    expect(goal?.tools.map(({ name }) => name)).toContain('ask_operator')
  })

  test('leaves one note behind, and a ledger that verifies', async () => {
    const { run } = await scenario.client().callTool('list_notes', '{}')
    const [listed] = (await settledRun(scenario.client(), run)).calls
    expect(listed?.result.match(/"title":"Seen"/g)).toHaveLength(1)
    expect(await scenario.client().verifyLedger()).toMatchObject({ ok: true })
  })
})

const ofTask = (title: string) =>
  scenario.asked.filter(
    ({ lastUser }) => lastUser.startsWith('<task>') && lastUser.includes(`<title>${title}</title>`),
  )

describe('the feed over five goals', () => {
  const names = ['garden', 'travel', 'taxes', 'music', 'bicycle']
  const goals = new Map<string, string>()
  const feeds = () => scenario.client().feeds()
  const worded = (material: readonly Material[]) =>
    JSON.stringify(material.map(({ refs, text }) => ({ text: `Told: ${text}`, refs })))

  async function keep(name: string): Promise<void> {
    const { run } = await scenario.say(`keep ${name}`, { goal: goals.get(name) ?? '' })
    expect((await settledRun(scenario.client(), run)).run.reason).toBe('completed')
  }
  async function sessionOf(run: string | null): Promise<string> {
    return (await scenario.client().run(run ?? '')).run.session
  }
  async function areArchived(session: string): Promise<boolean> {
    const { items } = await scenario.client().thread(session)
    return items.length > 0 && items.every((item) => item.kind !== 'message' || item.archived)
  }

  beforeAll(async () => {
    for (const name of names) goals.set(name, await newGoal(name))
    await scenario.client().makeFeed(false)
  })

  test('tells of each, stands on entries that there are, and drops what the model invents', async () => {
    await Promise.all(names.map(keep))
    words = (material) => ({
      text: JSON.stringify([
        ...(JSON.parse(worded(material)) as object[]),
        { text: 'You won the lottery.', refs: [999_999] },
        { text: 'Everybody is happy.', refs: [] },
        { text: 'The taxes are paid.', refs: [material[0]?.refs[0], 1] },
      ]),
    })
    const { feed: digest } = await scenario.client().makeFeed(true)
    expect(digest).toMatchObject({ by: 'digest', run: null })
    const feed = await waitFor(async () => {
      const [newest] = await feeds()
      expect(newest).toMatchObject({ id: digest.id, by: 'model' })
      return newest
    })
    expect(feed?.items.map(({ goal }) => goal).toSorted()).toEqual([...goals.values()].toSorted())
    expect(feed?.items.every(({ text }) => text.startsWith('Told: '))).toBe(true)
    expect(new Set(feed?.items.flatMap(({ refs }) => refs))).toEqual(
      new Set(digest.items.flatMap(({ refs }) => refs)),
    )
    const written = await new Response(await scenario.client().exportLedger()).text()
    for (const { refs } of feed?.items ?? []) {
      expect(refs.length).toBeGreaterThan(0)
      for (const ref of refs) expect(written).toMatch(new RegExp(`"seq":${ref}[,}]`))
    }
    const session = await sessionOf(feed?.run ?? null)
    await waitFor(async () => expect(await areArchived(session)).toBe(true))
  })

  test.each([
    ['fails', { status: 400 }],
    ['says nothing that stands on anything', { text: 'What a day.' }],
  ] satisfies [string, ScriptReply][])('is the digest where the model %s', async (_what, reply) => {
    await keep('music')
    words = () => reply
    const { feed: digest } = await scenario.client().makeFeed(true)
    const question = await waitFor(async () => {
      const session = (await scenario.client().sessions()).find(
        ({ title, activeRun, createdAt }) => title === 'Feed' && activeRun === null && createdAt >= digest.at,
      )
      expect(session).toBeDefined()
      return session
    })
    await waitFor(async () => expect(await areArchived(question?.id ?? '')).toBe(true))
    const [newest] = await feeds()
    expect(newest).toEqual(digest)
    expect(newest?.items).toMatchObject([{ goal: goals.get('music'), undoable: true }])
  })

  test('is worded once when the gateway is killed after the digest', async () => {
    await keep('taxes')
    const moment = gate()
    held = moment.opened
    words = (material) => ({ text: worded(material) })
    const before = (await feeds()).length
    const turns = () => scenario.asked.filter(({ lastUser }) => lastUser.includes('<happenings>')).length
    const asked = turns()
    const { feed: digest } = await scenario.client().makeFeed(true)
    await waitFor(() => expect(turns()).toBe(asked + 1))
    await scenario.killAndStart()
    expect((await feeds())[0]).toEqual(digest)
    moment.open()
    await waitFor(async () => expect((await feeds())[0]).toMatchObject({ id: digest.id, by: 'model' }))
    expect(await feeds()).toHaveLength(Math.min(7, before + 1))
    const [feed] = await feeds()
    expect(feed?.items.map(({ text }) => text)).toEqual(
      digest.items.map(({ text }) => `Told: taxes: ${text}`),
    )
    const { messages } = await scenario.client().session(await sessionOf(feed?.run ?? null))
    expect(messages).toHaveLength(2)
  })
})
