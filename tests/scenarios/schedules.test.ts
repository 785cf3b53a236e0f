import { localText, momentAt, type OccurrenceView } from '@countersign/contract'
import { approve, settledRun } from '@countersign/harness'
import type { ReplyCall, ScriptReply, ScriptTurn } from '@countersign/model-servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AssistantScenario, gate, openAssistantScenario, waitFor } from './assistant-scenario.ts'

const zone = 'Europe/Vienna'
const minute = 60_000
const day = 24 * 60 * minute

let scenario: AssistantScenario
/** What an answer to a question about the past waits for. */
let held: Promise<void> = Promise.resolve()

const call = (name: string, args: ReplyCall['args']): ScriptReply => ({ calls: [{ name, args }] })

async function answer({ lastUser, lastResults }: ScriptTurn): Promise<ScriptReply> {
  const told = lastResults.at(-1)?.text ?? ''
  if (lastUser.startsWith('What is Ana allergic to?')) {
    if (told === '') return call('search_agent_history', { query: 'Ana allergic' })
    await held
    return { text: `You told me: ${/allergic to (\w+)/.exec(told)?.[1]}.` }
  }
  if (lastUser === 'Remember where I park.' && told === '')
    return call('remember', { content: 'The operator parks on level seven.', type: 'fact' })
  if (lastUser === 'Recall where I park.')
    return told === ''
      ? call('recall', { query: 'park' })
      : { text: `Recalled: ${/level \w+/.exec(told)?.[0]}` }
  if (lastUser === 'Log it.' && told === '')
    return call('execute_shell', { command: 'echo logged >> effects.log' })
  return { text: 'Yes.' }
}

beforeAll(async () => {
  scenario = await openAssistantScenario(answer, {
    passing: true,
    environment: { COUNTERSIGN_TIME_ZONE: zone },
  })
  await scenario.start()
  await scenario
    .client()
    .overrideModel('openai-compatible/scripted', { input: 0, output: 1, maxOutput: 1_000 })
})
afterAll(() => scenario.close())

describe('three weeks later', () => {
  const topics = ['rain', 'bread', 'trains', 'paint', 'soup', 'chess', 'wool']
  const lastAsked = (words: string) => scenario.asked.filter(({ lastUser }) => lastUser === words)

  async function ask(text: string, session?: Parameters<AssistantScenario['say']>[1]) {
    const said = await scenario.say(text, session)
    const { run, calls } = await settledRun(scenario.client(), said.run)
    expect(run.reason).toBe('completed')
    return { ...said, text: run.text, calls }
  }

  test('a fact is found in the history, though the model is shown neither the words nor their summary', async () => {
    const { session } = await ask('My sister Ana is allergic to walnuts.')
    await ask('Remember where I park.', { session })
    for (const [place, topic] of topics.entries()) {
      scenario.installation.pass(3 * day)
      if (place === 3) await scenario.killAndStart()
      await ask(`Tell me something about ${topic}.`, { session })
      const [turn] = lastAsked(`Tell me something about ${topic}.`)
      expect(turn?.messages).toHaveLength(1)
      expect(turn?.system).not.toContain('walnuts')
    }
    scenario.installation.pass(day)
    const moment = gate()
    held = moment.opened
    const question = 'What is Ana allergic to?'
    const { run } = await scenario.say(question, { session })
    await waitFor(() => expect(lastAsked(question)).toHaveLength(2))
    await scenario.killAndStart()
    moment.open()
    const { run: ended, calls } = await settledRun(scenario.client(), run)
    expect(ended.text).toBe('You told me: walnuts.')
    expect(calls).toMatchObject([{ tool: 'search_agent_history', tier: 0, outcome: 'ok' }])

    const [first, second] = lastAsked(question)
    expect(first?.messages.map(({ text }) => text)).toEqual([question])
    expect(first?.system).not.toContain('walnuts')
    expect(first?.system).not.toContain('wool')
    expect(first?.system).toContain('search_agent_history')
    expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    const { items } = await scenario.client().thread(session, { limit: '200' })
    const said = items.filter((item) => item.kind === 'message' && item.text.includes('My sister Ana'))
    expect(said).toMatchObject([{ archived: true }])
    expect(await scenario.client().searchHistory({ query: 'walnuts' })).toHaveLength(1)
  })

  test('a memory is recalled in a new conversation, and stands in no prompt', async () => {
    const { text, calls } = await ask('Recall where I park.')
    expect(text).toBe('Recalled: level seven')
    expect(calls).toMatchObject([{ tool: 'recall', outcome: 'ok' }])
    for (const { system } of lastAsked('Recall where I park.')) expect(system).not.toContain('level seven')
    expect((await ask('Where do I swim?')).text).toBe('Yes.')
    expect((await scenario.client().memories()).total).toBe(1)
  })

  test('a conversation that nobody goes on with is archived by itself after a start', async () => {
    const { session } = await ask('Only once I ask about marmalade.')
    expect(await scenario.client().searchHistory({ query: 'marmalade' })).toEqual([])
    scenario.installation.pass(day)
    await scenario.killAndStart()
    await waitFor(async () =>
      expect(await scenario.client().searchHistory({ query: 'marmalade' })).toMatchObject([{ session }]),
    )
  })
})

describe('an automation at half past two over the days when the clock is changed', () => {
  const cron = { kind: 'cron', expression: '30 2 * * *', zone } as const
  let daily = ''
  let strict = ''

  /** The last Sunday of a month, as a day. */
  function lastSunday(year: number, month: number): string {
    const last = new Date(Date.UTC(year, month, 0))
    return new Date(last.getTime() - last.getUTCDay() * day).toISOString().slice(0, 10)
  }
  const shifted = (date: string, days: number) =>
    new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)
  const passTo = (moment: Date | string) =>
    scenario.installation.pass(new Date(moment).getTime() - scenario.installation.now().getTime())
  /** A change that changes nothing makes it look at the clock. */
  const look = () => scenario.client().changeSchedule(daily, { name: 'Daily' })
  const history = (id: string) => scenario.client().occurrences(id, { limit: '1000' })
  const onDay = (all: readonly OccurrenceView[], date: string) =>
    all.filter(({ dueAt }) => localText(Date.parse(dueAt), zone).startsWith(date))

  async function runsAt(moment: Date): Promise<void> {
    await waitFor(async () =>
      expect((await history(daily))[0]).toMatchObject({ dueAt: moment.toISOString(), state: 'succeeded' }),
    )
  }
  async function staysAt(count: number): Promise<void> {
    await look()
    await look()
    expect(await history(daily)).toHaveLength(count)
  }

  const now = new Date()
  const spring = lastSunday(now.getUTCFullYear() + 1, 3)
  const autumn = lastSunday(now.getUTCFullYear() + 1, 10)
  const firstSpring = shifted(spring, -1)

  beforeAll(async () => {
    await scenario.client().setBudget({ scope: 'unattended', limitUsd: 5 })
    passTo(`${shifted(spring, -2)}T12:00:00Z`)
    await scenario.killAndStart()
    const does = { kind: 'prompt', text: 'Say yes.' } as const
    daily = (await scenario.client().addSchedule({ name: 'Daily', trigger: cron, does })).schedule.id
    const skipping = { name: 'Strict', trigger: cron, does, missed: 'skip' } as const
    strict = (await scenario.client().addSchedule(skipping)).schedule.id
  })

  test('in spring runs once on each day, at the change where the hour is left out', async () => {
    const saturday = momentAt(firstSpring, '02:30', zone)
    passTo(new Date(saturday.getTime() + 2_000))
    await look()
    await runsAt(saturday)

    const change = new Date(`${spring}T01:00:00Z`)
    passTo(new Date(change.getTime() - 10_000))
    await staysAt(1)
    passTo(new Date(change.getTime() + 2_000))
    await scenario.killAndStart()
    await runsAt(change)
    passTo(new Date(change.getTime() + 31 * minute))
    await staysAt(2)

    const monday = momentAt(shifted(spring, 1), '02:30', zone)
    expect(monday.toISOString()).toContain('T00:30:00')
    passTo(new Date(monday.getTime() + 2_000))
    await look()
    await runsAt(monday)
    await staysAt(3)
  })

  test('writes down what it missed over a summer without a gateway, and makes up for the last', async () => {
    await scenario.kill()
    const friday = momentAt(shifted(autumn, -2), '02:30', zone)
    passTo(new Date(friday.getTime() + 10 * minute))
    await scenario.start()
    await runsAt(friday)
    const all = await history(daily)
    const days = (Date.parse(shifted(autumn, -2)) - Date.parse(firstSpring)) / day + 1
    expect(all).toHaveLength(days)
    expect(all.filter(({ state }) => state === 'succeeded')).toHaveLength(4)
    expect(all.filter(({ state, reason }) => state === 'missed' && reason === 'late')).toHaveLength(days - 4)
    const others = await history(strict)
    expect(others).toHaveLength(days)
    expect(others[0]).toMatchObject({ dueAt: friday.toISOString(), state: 'missed', reason: 'late' })
    const why = await scenario.client().whyNot(strict, { day: shifted(autumn, -2) })
    expect(why.answer).toMatch(/missed|not running|not there|late/i)
  })

  test('in autumn runs once on the day that has the hour twice, also when it is killed in between', async () => {
    const before = (await history(daily)).length
    const saturday = momentAt(shifted(autumn, -1), '02:30', zone)
    passTo(new Date(saturday.getTime() + 2_000))
    await look()
    await runsAt(saturday)

    const first = momentAt(autumn, '02:30', zone)
    expect(first.toISOString()).toContain('T00:30:00')
    passTo(new Date(first.getTime() + 2_000))
    await look()
    await runsAt(first)
    await scenario.kill()
    passTo(new Date(first.getTime() + 60 * minute + 2_000))
    await scenario.start()
    await staysAt(before + 2)

    const monday = momentAt(shifted(autumn, 1), '02:30', zone)
    expect(monday.toISOString()).toContain('T01:30:00')
    passTo(new Date(monday.getTime() + 2_000))
    await look()
    await runsAt(monday)

    const all = await history(daily)
    expect(all).toHaveLength(before + 3)
    for (const date of [-1, 0, 1].flatMap((days) => [shifted(spring, days), shifted(autumn, days)]))
      expect(onDay(all, date)).toMatchObject([{ state: 'succeeded' }])
    // A model that was being asked when the gateway was killed is asked again; the run is the same.
    const succeeded = [...all, ...(await history(strict))].filter(({ state }) => state === 'succeeded')
    const sessions = [...new Set(succeeded.map(({ session }) => session))]
    const runs = await Promise.all(
      sessions.map((session) => scenario.client().runs({ session: session ?? '' })),
    )
    expect(runs.flat()).toHaveLength(succeeded.length)
  })

  test('carries a plan out anew each time, fails where the plan fails, and the feed names it all', async () => {
    const note = { type: 'tool_call', id: 'note', name: 'Note', tool: 'add_note' } as const
    const steps = [{ ...note, args: { title: 'Watered', content: 'the plants' } }]
    const { plan } = await scenario.client().addPlan({ name: 'Water', steps })
    const { schedule } = await scenario.client().addSchedule({
      name: 'Hourly',
      trigger: { kind: 'every', seconds: 3_600 },
      does: { kind: 'plan', plan: plan.id },
    })
    const became = (...states: string[]) =>
      waitFor(async () =>
        expect((await history(schedule.id)).map(({ state }) => state).toReversed()).toEqual(states),
      )
    scenario.installation.pass(60 * minute + 1_000)
    await look()
    await became('succeeded')
    scenario.installation.pass(60 * minute)
    await scenario.killAndStart()
    await became('succeeded', 'succeeded')
    expect(new Set((await history(schedule.id)).map(({ session }) => session)).size).toBe(2)
    const { run } = await scenario.client().callTool('list_notes', '{}')
    const [listed] = (await settledRun(scenario.client(), run)).calls
    expect(listed?.result.match(/"title":"Watered"/g)).toHaveLength(2)

    await scenario.client().changePlan(plan.id, {
      steps: [{ ...note, tool: 'read_file', args: { path: 'nowhere.txt' } }],
    })
    scenario.installation.pass(60 * minute)
    await look()
    await became('succeeded', 'succeeded', 'failed')
    await scenario.client().changeSchedule(schedule.id, { status: 'paused' })
    const { feed } = await scenario.client().makeFeed(false)
    const told = feed.items.map(({ text }) => text)
    expect(told).toContainEqual(
      expect.stringMatching(/^The automation “Strict” missed \d+ times, the last at /),
    )
    expect(told).toContain('The plan “Water” failed: 1 failed, stopped at “Note”.')
    expect(told).toContainEqual(expect.stringMatching(/^The automation “Hourly” failed/))
  })

  test('that meets an ask waits for the operator, over a kill, and goes on when it is approved', async () => {
    const at = new Date(scenario.installation.now().getTime() + 60 * minute)
    const { schedule } = await scenario.client().addSchedule({
      name: 'Log',
      trigger: { kind: 'once', at: at.toISOString() },
      does: { kind: 'prompt', text: 'Log it.' },
    })
    passTo(new Date(at.getTime() + 1_000))
    await look()
    const waiting = await waitFor(async () => {
      const [only] = await history(schedule.id)
      expect(only).toMatchObject({ state: 'parked' })
      return only
    })
    await scenario.killAndStart()
    expect(await history(schedule.id)).toMatchObject([{ id: waiting?.id, state: 'parked' }])
    const { last } = await scenario.client().schedule(schedule.id)
    expect(last).toEqual(['parked'])
    const [pending] = await scenario.client().approvals({ state: 'pending' })
    // The program has run; nobody was watching it, so what it changed is asked about.
    expect(pending).toMatchObject({ run: waiting?.run, card: { tier: 2, tool: 'take_over_changes' } })
    expect(scenario.linesOf('effects.log')).toEqual([])
    await approve(scenario.installation, scenario.client(), pending?.code ?? '')
    await waitFor(async () =>
      expect(await history(schedule.id)).toMatchObject([{ id: waiting?.id, state: 'succeeded' }]),
    )
    expect(scenario.linesOf('effects.log')).toEqual(['logged'])
    expect(await scenario.client().verifyLedger()).toMatchObject({ ok: true })
  })
})
