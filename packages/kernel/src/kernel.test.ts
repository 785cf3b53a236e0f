import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../tests/harness/src/postgres.ts'
import { openTestKernel, type Reply, type TestKernel } from './testing/test-kernel.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let script: (words: string) => Reply

const actor = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
const call = (name: string, args: Record<string, string> = {}) => ({ name, args })

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: last.results.map((result) => result.text).join(' | ') }
    return last?.role === 'user' ? script(last.text) : { text: '' }
  })
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})
beforeEach(() => {
  testKernel.permits.length = 0
  testKernel.now = () => new Date()
  testKernel.answer = ({ subject }) => ({
    kind: 'done',
    startedAt: new Date().toISOString(),
    endedAt: new Date().toISOString(),
    result: { ok: true, text: `did ${subject.tool.name}`, summary: 'done', undo: null },
  })
})

const operator = () => testKernel.kernel.operator
const pending = async (run: string) =>
  (await testKernel.views().approvals(operator(), { state: 'pending', run: run as never })).map(
    (one) => one.code,
  )

/** An approved once effect whose end nobody saw, and the question about it. */
async function effectOfUnknownEnd() {
  testKernel.answer = () => ({ kind: 'unknown', startedAt: new Date().toISOString() })
  script = () => ({ calls: [call('send')] })
  const { run } = await testKernel.say('go')
  await testKernel.settled(run, 'parked')
  await testKernel.approve((await pending(run))[0] ?? '')
  await expect
    .poll(async () => (await testKernel.views().questions(operator())).some((one) => one.run === run))
    .toBe(true)
  const question = (await testKernel.views().questions(operator())).find((one) => one.run === run)
  return { run, question }
}

describe('the door', () => {
  test('lets T0 and T1 through with the gateway’s seal, together', async () => {
    script = () => ({ calls: [call('look'), call('change'), call('look')] })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(calls.map((one) => [one.tool, one.tier, one.outcome])).toEqual([
      ['look', 0, 'ok'],
      ['change', 1, 'ok'],
      ['look', 0, 'ok'],
    ])
    expect(
      testKernel.permits.every(
        (permit) => permit.seal.by === 'gateway' && permit.subject.decision === 'allow',
      ),
    ).toBe(true)
    expect(new Set(testKernel.permits.map((permit) => permit.subject.nonce)).size).toBe(3)
  })

  test('sends nothing to the executor before a person decided, and then exactly what was shown', async () => {
    script = () => ({ calls: [call('send', { to: 'ana' })] })
    const { run } = await testKernel.say('go')
    const { approvals } = await testKernel.settled(run, 'parked')
    expect(testKernel.permits).toEqual([])
    await testKernel.approve(approvals[0]?.code ?? '')
    await testKernel.settled(run)
    expect(testKernel.permits).toHaveLength(1)
    expect(testKernel.permits[0]).toMatchObject({
      seal: { by: 'device' },
      subject: { args: '{"to":"ana"}', approval: approvals[0]?.id },
    })
  })

  test('refuses an approval of a T3 call without the seal of a device, of another digest, and a second verdict', async () => {
    script = () => ({ calls: [call('send')] })
    const { run } = await testKernel.say('go')
    const { approvals } = await testKernel.settled(run, 'parked')
    const [waiting] = approvals
    const decide = (digest: string) =>
      testKernel.kernel.decide(operator(), waiting?.code ?? '', { verdict: 'approve', digest }, actor)
    await expect(decide(waiting?.digest ?? '')).rejects.toMatchObject({ code: 'not_authenticated' })
    await expect(decide('0'.repeat(64))).rejects.toMatchObject({ code: 'conflict' })
    await testKernel.approve(waiting?.code ?? '')
    await expect(testKernel.approve(waiting?.id ?? '')).rejects.toMatchObject({ code: 'conflict' })
    await testKernel.settled(run)
    expect(testKernel.permits).toHaveLength(1)
  })

  test('asks once for a granted target and never beyond the grant', async () => {
    script = () => ({ calls: [call('fetch')] })
    const { run, session } = await testKernel.say('go')
    const { approvals } = await testKernel.settled(run, 'parked')
    const { grant } = await testKernel.kernel.decide(
      operator(),
      approvals[0]?.code ?? '',
      { verdict: 'approve', digest: approvals[0]?.digest ?? '', grant: { scope: 'session', maxUses: 2 } },
      actor,
    )
    await testKernel.settled(run)
    for (let use = 0; use < 2; use += 1) {
      const again = await testKernel.say('go', session)
      expect((await testKernel.settled(again.run)).calls[0]).toMatchObject({
        outcome: 'ok',
        decision: { grant },
      })
    }
    const beyond = await testKernel.say('go', session)
    await testKernel.settled(beyond.run, 'parked')
    const elsewhere = await testKernel.say('go')
    await testKernel.settled(elsewhere.run, 'parked')
    expect(testKernel.permits).toHaveLength(3)
  })

  test('asks again when the policy changed between the approval and the effect', async () => {
    script = () => ({ calls: [call('send', { n: '1' }), call('send', { n: '2' })] })
    const { run } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    const [second, first] = await pending(run)
    await testKernel.approve(second ?? '')
    const rule =
      '@id("mine.none") @why("Nothing is sent today") forbid (principal, action, resource) when { context.outward };'
    await testKernel.kernel.policies.load({ autonomy: 'medium', files: [{ name: 'mine.cedar', text: rule }] })
    await testKernel.approve(first ?? '')
    const { calls } = await testKernel.settled(run)
    expect(calls.map((one) => one.outcome)).toEqual(['denied', 'denied'])
    expect(testKernel.permits).toEqual([])
    await testKernel.kernel.policies.load({ autonomy: 'medium', files: [] })
  })

  test('ends a request whose time is over, tells the run, and runs nothing', async () => {
    script = () => ({ calls: [call('send')] })
    const { run } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    const [code] = await pending(run)
    testKernel.now = () => new Date(Date.now() + 25 * 60 * 60_000)
    const { calls } = await testKernel.settled(run)
    expect(calls[0]?.outcome).toBe('denied')
    testKernel.now = () => new Date()
    await expect(testKernel.approve(code ?? '')).rejects.toMatchObject({ code: 'expired' })
    expect(testKernel.permits).toEqual([])
  })
})

describe('effects', () => {
  test('sends the same permit again when the executor was lost, and never a new one', async () => {
    let losses = 2
    const answer = testKernel.answer
    testKernel.answer = (permit) => (losses-- > 0 ? { kind: 'lost' } : answer(permit))
    script = () => ({ calls: [call('change')] })
    const { run } = await testKernel.say('go')
    expect((await testKernel.settled(run)).calls[0]?.outcome).toBe('ok')
    expect(new Set(testKernel.permits.map((permit) => permit.subject.nonce)).size).toBe(1)
    expect(testKernel.permits).toHaveLength(3)
  })

  test('tries an effect that may happen twice once more, with the same key and a new permit', async () => {
    let crashes = 1
    const answer = testKernel.answer
    testKernel.answer = (permit) =>
      crashes-- > 0 ? { kind: 'unknown', startedAt: new Date().toISOString() } : answer(permit)
    script = () => ({ calls: [call('change')] })
    const { run } = await testKernel.say('go')
    expect((await testKernel.settled(run)).calls[0]?.outcome).toBe('ok')
    expect(new Set(testKernel.permits.map((permit) => permit.subject.nonce)).size).toBe(2)
    expect(new Set(testKernel.permits.map((permit) => permit.subject.key)).size).toBe(1)
  })

  test.each([
    ['done', 'ok', 1],
    ['not done', 'failed', 1],
  ])('asks what became of a once effect of unknown end: %s', async (answer, outcome, sent) => {
    const { run, question } = await effectOfUnknownEnd()
    await expect(
      testKernel.kernel.answer(operator(), question?.id as never, 'perhaps', actor),
    ).rejects.toMatchObject({ code: 'usage' })
    await testKernel.kernel.answer(operator(), question?.id as never, answer, actor)
    expect((await testKernel.settled(run)).calls[0]?.outcome).toBe(outcome)
    expect(testKernel.permits).toHaveLength(sent)
  })

  test('tries an effect of unknown end again only with a new approval', async () => {
    const answer = testKernel.answer
    const { run, question } = await effectOfUnknownEnd()
    testKernel.answer = answer
    await testKernel.kernel.answer(operator(), question?.id as never, 'try again', actor)
    await expect.poll(async () => (await pending(run)).length).toBe(1)
    await testKernel.approve((await pending(run))[0] ?? '')
    expect((await testKernel.settled(run)).calls[0]?.outcome).toBe('ok')
    expect(testKernel.permits.map((permit) => permit.subject.key)).toEqual([
      expect.stringMatching(/\/1$/),
      expect.stringMatching(/\/2$/),
    ])
  })

  test('keeps a parked run through a restart of the kernel', async () => {
    script = () => ({ calls: [call('send')] })
    const { run } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    await testKernel.reopen()
    await testKernel.approve((await pending(run))[0] ?? '')
    expect((await testKernel.settled(run)).run.reason).toBe('completed')
  })
})

describe('steering', () => {
  test('reaches a working run at its next turn, whenever it was said', async () => {
    const answer = testKernel.answer
    let session = ''
    testKernel.answer = async (permit) => {
      await testKernel.say('louder', session, 'steer')
      return answer(permit)
    }
    script = (words) => (words === 'go' ? { calls: [call('look')] } : { text: `heard ${words}` })
    const first = await testKernel.say('hello')
    session = first.session
    await testKernel.settled(first.run)
    const { run } = await testKernel.say('go', session)
    const { run: ended } = await testKernel.settled(run)
    expect(ended.text).toBe('heard louder')
  })
})

describe('lanes', () => {
  test('answers the messages of a session one at a time and in order', async () => {
    let working = 0
    let most = 0
    const heard: string[] = []
    script = (words) => {
      heard.push(words)
      return { text: words }
    }
    const answer = script
    script = (words) => {
      working += 1
      most = Math.max(most, working)
      const reply = answer(words)
      working -= 1
      return reply
    }
    const { session } = await testKernel.say('0')
    for (let index = 1; index <= 5; index += 1) await testKernel.say(String(index), session)
    await expect.poll(() => heard.length).toBe(6)
    expect(heard).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(most).toBe(1)
  })

  test('gives every event a number without gaps', async () => {
    script = () => ({ calls: [call('look')] })
    const before = await testKernel.kernel.stream.head(operator())
    const runs = await Promise.all(Array.from({ length: 5 }, () => testKernel.say('go')))
    for (const { run } of runs) await testKernel.settled(run)
    await sleep(20)
    const events = await testKernel.kernel.stream.since(operator(), before, 1_000)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => before + 1 + index))
    expect(await testKernel.kernel.verifyLedger(operator())).toMatchObject({ ok: true })
  })
})
