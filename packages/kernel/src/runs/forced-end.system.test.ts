import { stopLimits } from '@countersign/agent'
import type { ExecutorReply, Permit, RunId } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type Reply, type TestKernel } from '../testing/test-kernel.ts'

const desk = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
const done: ExecutorReply = {
  kind: 'done',
  startedAt: new Date().toISOString(),
  endedAt: new Date().toISOString(),
  result: { ok: true, text: 'did it', summary: 'did it', undo: null },
}

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let reply: (text: string) => Reply | Promise<Reply>
let aheadMs = 0

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages }) => {
    const last = messages.at(-1)
    return reply(last?.role === 'user' ? last.text : '')
  })
  testKernel.now = () => new Date(Date.now() + aheadMs)
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})
beforeEach(() => {
  testKernel.permits.length = 0
  testKernel.answer = () => done
})

const operator = () => testKernel.kernel.operator
const pass = (ms: number) => {
  aheadMs += ms
}
const detailOf = (run: RunId) => testKernel.views().run(operator(), run)
const messagesOf = async (session: string) =>
  (await testKernel.views().session(operator(), session as never)).messages.map(({ text }) => text)
const openQuestions = async (run: RunId) =>
  (await testKernel.views().questions(operator())).filter((question) => question.run === run)
const entriesOf = (run: RunId, type: string) =>
  testKernel.kernel.readOnly(operator(), (db) =>
    db
      .selectFrom('ledger_entries')
      .select('seq')
      .where('run_id', '=', run)
      .where('type', '=', type)
      .execute(),
  )

/** Never answers and hears nothing, until the test lets it. */
function stuck<Answer>() {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  let isReached = false
  return { wait: () => ((isReached = true), promise), release: resolve, reached: () => isReached }
}

describe('a run that ignores its stop', () => {
  it('is left to end by itself for as long as the grace, and is then ended, and its conversation answers', async () => {
    const thinking = stuck<Reply>()
    reply = (text) => (text === 'hang' ? thinking.wait() : { text: `Heard: ${text}` })
    const { run, session } = await testKernel.say('hang')
    await expect.poll(thinking.reached).toBe(true)
    await testKernel.kernel.stopRun(operator(), run, desk)
    await testKernel.say('next', session, 'queue')
    pass(stopLimits.graceMs / 2)
    // Told once more, it gets no more time.
    await testKernel.kernel.stopRun(operator(), run, desk)
    expect((await detailOf(run)).run.state).toBe('running')
    pass(stopLimits.graceMs / 2)
    const { run: ended } = await testKernel.settled(run)
    expect(ended).toMatchObject({
      reason: 'manual',
      message: 'Ended by force: it had not stopped 30 seconds after it was told to.',
    })
    await expect.poll(async () => (await messagesOf(session)).at(-1)).toBe('Heard: next')

    const before = await messagesOf(session)
    thinking.release({ text: 'Too late.', calls: [{ name: 'look', args: {} }] })
    const { run: last } = await testKernel.say('last', session)
    await testKernel.settled(last)
    expect(await messagesOf(session)).toEqual([...before, 'last', 'Heard: last'])
    expect(testKernel.permits).toEqual([])
    expect((await detailOf(run)).calls).toEqual([])
  })

  it('leaves an effect that was under way as unknown, asks whether it was done, and hears no late result', async () => {
    const acting = stuck<ExecutorReply>()
    reply = (text) => (text === 'send' ? { text: '', calls: [{ name: 'send', args: {} }] } : { text: 'Yes.' })
    testKernel.answer = acting.wait
    const { run, session } = await testKernel.say('send')
    const { approvals } = await testKernel.settled(run, 'parked')
    await testKernel.approve(approvals[0]?.code ?? '')
    await expect.poll(acting.reached).toBe(true)
    await testKernel.kernel.stopRun(operator(), run, desk)
    pass(stopLimits.graceMs)
    const { run: ended, calls } = await testKernel.settled(run)
    expect(ended.message).toContain('Whether a call under way did something is unknown.')
    expect(calls).toMatchObject([{ state: 'unknown', outcome: 'unknown' }])
    const [question] = await openQuestions(run)
    expect(question).toMatchObject({ kind: 'unknown', choices: ['done', 'not done'] })
    expect(await entriesOf(run, 'effect.outcome')).toHaveLength(1)

    acting.release(done)
    const { run: next } = await testKernel.say('and now?', session)
    await testKernel.settled(next)
    expect((await detailOf(run)).calls).toMatchObject([{ state: 'unknown', outcome: 'unknown' }])
    expect(await entriesOf(run, 'effect.outcome')).toHaveLength(1)

    const answer = (words: string) =>
      testKernel.kernel.answer(operator(), question?.id ?? ('' as never), words, desk)
    await expect(answer('try again')).rejects.toMatchObject({ code: 'conflict' })
    await answer('done')
    expect((await detailOf(run)).calls).toMatchObject([{ state: 'ended', outcome: 'ok' }])
    expect(await openQuestions(run)).toEqual([])
  })

  it('takes its requests back, and what it had set aside of a budget', async () => {
    const acting = stuck<ExecutorReply>()
    reply = () => ({
      text: '',
      calls: [
        { name: 'change', args: {} },
        { name: 'send', args: {} },
      ],
    })
    testKernel.answer = (permit: Permit) => (permit.subject.tool.name === 'change' ? acting.wait() : done)
    const { run, session } = await testKernel.say('both')
    await expect.poll(acting.reached).toBe(true)
    await expect.poll(async () => (await detailOf(run)).approvals.length).toBe(1)
    const meter = testKernel.kernel.meterFor(operator(), {
      run,
      session: session as never,
      agent: 'assistant',
      goal: null,
      schedule: null,
      unattended: false,
    })
    const set = await meter.reserve({ provider: 'test', model: 'm', purpose: 'chat', worstNanos: 70 })
    await testKernel.kernel.stopRun(operator(), run, desk)
    pass(stopLimits.graceMs)
    const { calls, approvals } = await testKernel.settled(run)
    // What may happen twice leaves no question.
    expect(calls).toMatchObject([
      { tool: 'change', state: 'ended', outcome: 'unknown' },
      { tool: 'send', state: 'ended', outcome: 'withdrawn' },
    ])
    expect(approvals).toMatchObject([{ state: 'withdrawn' }])
    expect(await openQuestions(run)).toEqual([])
    const booked = await testKernel.kernel.readOnly(operator(), (db) =>
      db.selectFrom('model_calls').select(['state', 'outcome', 'cost']).where('run_id', '=', run).execute(),
    )
    expect(set.kind).toBe('reserved')
    expect(booked).toEqual([{ state: 'settled', outcome: 'lost', cost: 70 }])
    acting.release(done)
  })

  it('is ended after a restart too, by whoever comes next', async () => {
    const acting = stuck<ExecutorReply>()
    let sent = 0
    reply = (text) => (text === 'go' ? { text: '', calls: [{ name: 'fetch', args: {} }] } : { text: 'Yes.' })
    testKernel.answer = () => {
      sent += 1
      return acting.wait()
    }
    const { run, session } = await testKernel.say('go')
    await testKernel
      .settled(run, 'parked')
      .then(({ approvals }) => testKernel.approve(approvals[0]?.code ?? ''))
    await expect.poll(acting.reached).toBe(true)
    await testKernel.kernel.stopRun(operator(), run, desk)
    await testKernel.reopen()
    // The segment was taken up again, and its permit sent again: it hangs as before.
    await expect.poll(() => sent).toBe(2)
    expect((await detailOf(run)).run.state).toBe('running')
    pass(stopLimits.graceMs)
    expect((await testKernel.settled(run)).calls).toMatchObject([{ outcome: 'unknown' }])
    const { run: next } = await testKernel.say('still there?', session)
    expect((await testKernel.settled(next)).run.text).toBe('Yes.')
  }, 60_000)
})
