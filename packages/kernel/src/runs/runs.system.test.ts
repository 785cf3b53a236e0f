import type { ModelFailure, ModelRequest } from '@countersign/agent'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { catalogue, openTestKernel, type Reply, switches, type TestKernel } from '../testing/test-kernel.ts'

const desk = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
const down: ModelFailure = { kind: 'unavailable', message: 'It is down.', provider: 'one' }
const wrong: ModelFailure = { kind: 'key', message: 'The key is refused.' }

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let asked: ModelRequest[]
let reply: (request: ModelRequest) => Reply | Promise<Reply>

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, (request) => {
    asked.push(request)
    return reply(request)
  })
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})
beforeEach(() => {
  asked = []
  testKernel.permits.length = 0
})

const operator = () => testKernel.kernel.operator
const said = (request: ModelRequest | undefined) =>
  request?.messages.flatMap((message) => (message.role === 'tool' ? [] : [message.text]))

describe('a segment', () => {
  it('goes on from turn to turn until a reply without calls, and records each before anything is done', async () => {
    reply = ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'Seen.' }
        : { text: 'I look.', calls: [{ name: 'look', args: {} }] }
    const { answer } = testKernel
    const recorded: unknown[] = []
    testKernel.answer = async (permit) => {
      recorded.push((await testKernel.views().run(operator(), permit.subject.run)).run.turns)
      return answer(permit)
    }
    const { run } = await testKernel.say('What is there?')
    const { run: ended, calls } = await testKernel.settled(run)
    expect(ended).toMatchObject({ reason: 'completed', text: 'Seen.', turns: 2 })
    expect(calls).toHaveLength(1)
    expect(asked).toHaveLength(2)
    expect(recorded).toEqual([1])
    testKernel.answer = answer
  })

  it('sends the model what was said in the session before, and nothing of another session', async () => {
    reply = () => ({ text: 'Yes.' })
    const first = await testKernel.say('My cat is called Ida.')
    await testKernel.settled(first.run)
    const other = await testKernel.say('And my dog?')
    await testKernel.settled(other.run)
    const second = await testKernel.say('What is she called?', first.session)
    await testKernel.settled(second.run)
    expect(said(asked[2])).toEqual(['My cat is called Ida.', 'Yes.', 'What is she called?'])
    expect(said(asked[1])).toEqual(['And my dog?'])
  })
})

describe('settings that change while the model thinks', () => {
  const looks = () => ({ text: 'I look.', calls: [{ name: 'look', args: {} }] })
  const switchOver = () =>
    testKernel.kernel.records.change(operator(), ({ records }) =>
      records.insert(switches, crypto.randomUUID(), { enabled: false }, null),
    )

  it('hold for what it then says: a tool that was switched off is not used', async () => {
    reply = async ({ messages }) => {
      if (messages.at(-1)?.role === 'tool') return { text: 'It is gone.' }
      testKernel.tools = {
        ...catalogue,
        find: (name) => (name === 'look' ? undefined : catalogue.find(name)),
      }
      await switchOver()
      return looks()
    }
    const { run } = await testKernel.say('What is there?')
    const { calls, run: ended } = await testKernel.settled(run)
    expect(calls.map(({ outcome, result }) => ({ outcome, result }))).toEqual([
      { outcome: 'invalid', result: 'There is no tool named look.' },
    ])
    expect(testKernel.permits).toEqual([])
    expect(ended).toMatchObject({ reason: 'completed', turns: 2 })
    testKernel.tools = catalogue
  })

  it('leave one reply with its calls, and its cost booked once', async () => {
    reply = async ({ messages }) => {
      if (messages.at(-1)?.role === 'tool') return { text: 'Seen.' }
      await switchOver()
      return { ...looks(), money: { worst: 20, cost: 10 } }
    }
    const { run } = await testKernel.say('What is there?')
    const { calls } = await testKernel.settled(run)
    expect(calls.map(({ outcome }) => outcome)).toEqual(['ok'])
    const rows = await testKernel.kernel.readOnly(operator(), (db) =>
      db
        .selectFrom('messages')
        .select(['role', 'text'])
        .where('run_id', '=', run)
        .orderBy('position')
        .execute(),
    )
    expect(rows.map(({ text }) => text)).toEqual(['What is there?', 'I look.', 'Seen.'])
    const spent = await testKernel.kernel.readOnly(operator(), (db) =>
      db.selectFrom('model_calls').select(['state', 'cost']).where('run_id', '=', run).execute(),
    )
    expect(spent).toHaveLength(1)
    expect(spent[0]).toMatchObject({ cost: 10 })
  })
})

describe('a model that fails', () => {
  it('for now, parks the run until a time that it names, and holds nothing meanwhile', async () => {
    reply = () => ({ failure: down })
    const { run } = await testKernel.say('go')
    const { run: parked } = await testKernel.settled(run, 'parked')
    expect(parked).toMatchObject({
      parkedOn: 'retry',
      retry: { attempt: 1, because: 'It is down.', provider: 'one' },
    })
  })

  it('for good, ends the run with what went wrong', async () => {
    reply = () => ({ failure: wrong })
    const { run } = await testKernel.say('go')
    const { run: ended } = await testKernel.settled(run)
    expect(ended.reason).toBe('error')
    expect(ended.message).toBe('The model failed: The key is refused.')
    expect(asked).toHaveLength(1)
  })
})

describe('a message that says how many turns its run may take', () => {
  const looksOn = ({ messages }: ModelRequest) => ({
    text: 'On.',
    calls: [{ name: 'look', args: { at: messages.length } }],
  })
  const send = (turns: number, session: string | null = null, mode: 'auto' | 'queue' = 'auto') =>
    testKernel.kernel.admit(operator(), {
      key: crypto.randomUUID(),
      session: session as never,
      text: 'go on and on',
      mode,
      turns,
      requester: { kind: 'operator', id: 'desk' },
    })
  const lastOf = async (session: string) => {
    const runs = await testKernel.views().runs(operator(), { session: session as never })
    return runs.toSorted((one, other) => (one.id < other.id ? 1 : -1))[0]
  }

  it('is held to it, also where it waited and where it is sent again', async () => {
    reply = looksOn
    const { run, session } = await send(2)
    await send(1, session, 'queue')
    const { run: ended } = await testKernel.settled(run as never)
    expect(ended).toMatchObject({ reason: 'limit', turns: 2, mostTurns: 2 })
    expect(ended.message).toBe('It reached its limit of 2 turns.')
    await expect.poll(async () => await lastOf(session)).toMatchObject({ reason: 'limit', mostTurns: 1 })
    const again = await testKernel.kernel.retryRun(operator(), run as never, desk)
    await expect
      .poll(async () => await lastOf(again.session))
      .toMatchObject({ reason: 'limit', turns: 2, mostTurns: 2 })
  })

  it('gives it no more than its agent has', async () => {
    testKernel.limits = { turns: 3 }
    await testKernel.reopen()
    reply = looksOn
    const { run } = await send(200)
    const { run: ended } = await testKernel.settled(run as never)
    expect(ended).toMatchObject({ reason: 'limit', turns: 3, mostTurns: 200 })
    testKernel.limits = {}
    await testKernel.reopen()
  })
})

describe('a stop', () => {
  it('ends a run whose model is still thinking, and does nothing of what it says then', async () => {
    let release: (reply: Reply) => void = () => undefined
    reply = () => new Promise<Reply>((resolve) => (release = resolve))
    const { run } = await testKernel.say('go')
    await expect.poll(() => asked.length).toBe(1)
    await testKernel.kernel.stopRun(operator(), run, desk)
    release({ text: 'Too late.', calls: [{ name: 'look', args: {} }] })
    const { run: ended, calls } = await testKernel.settled(run)
    expect(ended).toMatchObject({ reason: 'manual' })
    expect(calls.map(({ outcome }) => outcome)).not.toContain('ok')
    expect(testKernel.permits).toEqual([])
  })
})
