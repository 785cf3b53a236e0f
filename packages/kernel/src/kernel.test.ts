import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../tests/harness/src/postgres.ts'
import { openTestHouse, type Reply, type TestHouse } from './testing/house.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let house: TestHouse
let script: (words: string) => Reply

const actor = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
const call = (name: string, args: Record<string, string> = {}) => ({ name, args })

beforeAll(async () => {
  database = await startTestDatabase()
  house = await openTestHouse(database.connection, ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: last.results.map((result) => result.text).join(' | ') }
    return last?.role === 'user' ? script(last.text) : { text: '' }
  })
})
afterAll(async () => {
  await house.close()
  await database.stop()
})
beforeEach(() => {
  house.permits.length = 0
  house.now = () => new Date()
  house.answer = ({ subject }) => ({
    kind: 'done',
    startedAt: new Date().toISOString(),
    endedAt: new Date().toISOString(),
    result: { ok: true, text: `did ${subject.tool.name}`, summary: 'done', undo: null },
  })
})

const operator = () => house.kernel.operator
const pending = async (run: string) =>
  (await house.views().approvals(operator(), { state: 'pending', run: run as never })).map((one) => one.code)

/** An approved once effect whose end nobody saw, and the question about it. */
async function effectOfUnknownEnd() {
  house.answer = () => ({ kind: 'unknown', startedAt: new Date().toISOString() })
  script = () => ({ calls: [call('send')] })
  const { run } = await house.say('go')
  await house.settled(run, 'parked')
  await house.approve((await pending(run))[0] ?? '')
  await expect
    .poll(async () => (await house.views().questions(operator())).some((one) => one.run === run))
    .toBe(true)
  const question = (await house.views().questions(operator())).find((one) => one.run === run)
  return { run, question }
}

describe('the door', () => {
  test('lets T0 and T1 through with the gateway’s seal, together', async () => {
    script = () => ({ calls: [call('look'), call('change'), call('look')] })
    const { run } = await house.say('go')
    const { calls } = await house.settled(run)
    expect(calls.map((one) => [one.tool, one.tier, one.outcome])).toEqual([
      ['look', 0, 'ok'],
      ['change', 1, 'ok'],
      ['look', 0, 'ok'],
    ])
    expect(
      house.permits.every((permit) => permit.seal.by === 'gateway' && permit.subject.decision === 'allow'),
    ).toBe(true)
    expect(new Set(house.permits.map((permit) => permit.subject.nonce)).size).toBe(3)
  })

  test('sends nothing to the executor before a person decided, and then exactly what was shown', async () => {
    script = () => ({ calls: [call('send', { to: 'ana' })] })
    const { run } = await house.say('go')
    const { approvals } = await house.settled(run, 'parked')
    expect(house.permits).toEqual([])
    await house.approve(approvals[0]?.code ?? '')
    await house.settled(run)
    expect(house.permits).toHaveLength(1)
    expect(house.permits[0]).toMatchObject({
      seal: { by: 'device' },
      subject: { args: '{"to":"ana"}', approval: approvals[0]?.id },
    })
  })

  test('refuses an approval of a T3 call without the seal of a device, of another digest, and a second verdict', async () => {
    script = () => ({ calls: [call('send')] })
    const { run } = await house.say('go')
    const { approvals } = await house.settled(run, 'parked')
    const [waiting] = approvals
    const decide = (digest: string) =>
      house.kernel.decide(operator(), waiting?.code ?? '', { verdict: 'approve', digest }, actor)
    await expect(decide(waiting?.digest ?? '')).rejects.toMatchObject({ code: 'not_authenticated' })
    await expect(decide('0'.repeat(64))).rejects.toMatchObject({ code: 'conflict' })
    await house.approve(waiting?.code ?? '')
    await expect(house.approve(waiting?.id ?? '')).rejects.toMatchObject({ code: 'conflict' })
    await house.settled(run)
    expect(house.permits).toHaveLength(1)
  })

  test('asks once for a granted target and never beyond the grant', async () => {
    script = () => ({ calls: [call('fetch')] })
    const { run, session } = await house.say('go')
    const { approvals } = await house.settled(run, 'parked')
    const { grant } = await house.kernel.decide(
      operator(),
      approvals[0]?.code ?? '',
      { verdict: 'approve', digest: approvals[0]?.digest ?? '', grant: { scope: 'session', maxUses: 2 } },
      actor,
    )
    await house.settled(run)
    for (let use = 0; use < 2; use += 1) {
      const again = await house.say('go', session)
      expect((await house.settled(again.run)).calls[0]).toMatchObject({ outcome: 'ok', decision: { grant } })
    }
    const beyond = await house.say('go', session)
    await house.settled(beyond.run, 'parked')
    const elsewhere = await house.say('go')
    await house.settled(elsewhere.run, 'parked')
    expect(house.permits).toHaveLength(3)
  })

  test('asks again when the policy changed between the approval and the effect', async () => {
    script = () => ({ calls: [call('send', { n: '1' }), call('send', { n: '2' })] })
    const { run } = await house.say('go')
    await house.settled(run, 'parked')
    const [second, first] = await pending(run)
    await house.approve(second ?? '')
    const rule =
      '@id("mine.none") @why("Nothing is sent today") forbid (principal, action, resource) when { context.outward };'
    await house.kernel.policies.load({ autonomy: 'medium', files: [{ name: 'mine.cedar', text: rule }] })
    await house.approve(first ?? '')
    const { calls } = await house.settled(run)
    expect(calls.map((one) => one.outcome)).toEqual(['denied', 'denied'])
    expect(house.permits).toEqual([])
    await house.kernel.policies.load({ autonomy: 'medium', files: [] })
  })

  test('ends a request whose time is over, tells the run, and runs nothing', async () => {
    script = () => ({ calls: [call('send')] })
    const { run } = await house.say('go')
    await house.settled(run, 'parked')
    const [code] = await pending(run)
    house.now = () => new Date(Date.now() + 25 * 60 * 60_000)
    const { calls } = await house.settled(run)
    expect(calls[0]?.outcome).toBe('denied')
    house.now = () => new Date()
    await expect(house.approve(code ?? '')).rejects.toMatchObject({ code: 'expired' })
    expect(house.permits).toEqual([])
  })
})

describe('effects', () => {
  test('sends the same permit again when the executor was lost, and never a new one', async () => {
    let losses = 2
    const answer = house.answer
    house.answer = (permit) => (losses-- > 0 ? { kind: 'lost' } : answer(permit))
    script = () => ({ calls: [call('change')] })
    const { run } = await house.say('go')
    expect((await house.settled(run)).calls[0]?.outcome).toBe('ok')
    expect(new Set(house.permits.map((permit) => permit.subject.nonce)).size).toBe(1)
    expect(house.permits).toHaveLength(3)
  })

  test('tries an effect that may happen twice once more, with the same key and a new permit', async () => {
    let crashes = 1
    const answer = house.answer
    house.answer = (permit) =>
      crashes-- > 0 ? { kind: 'unknown', startedAt: new Date().toISOString() } : answer(permit)
    script = () => ({ calls: [call('change')] })
    const { run } = await house.say('go')
    expect((await house.settled(run)).calls[0]?.outcome).toBe('ok')
    expect(new Set(house.permits.map((permit) => permit.subject.nonce)).size).toBe(2)
    expect(new Set(house.permits.map((permit) => permit.subject.key)).size).toBe(1)
  })

  test.each([
    ['done', 'ok', 1],
    ['not done', 'failed', 1],
  ])('asks what became of a once effect of unknown end: %s', async (answer, outcome, sent) => {
    const { run, question } = await effectOfUnknownEnd()
    await expect(
      house.kernel.answer(operator(), question?.id as never, 'perhaps', actor),
    ).rejects.toMatchObject({ code: 'usage' })
    await house.kernel.answer(operator(), question?.id as never, answer, actor)
    expect((await house.settled(run)).calls[0]?.outcome).toBe(outcome)
    expect(house.permits).toHaveLength(sent)
  })

  test('tries an effect of unknown end again only with a new approval', async () => {
    const answer = house.answer
    const { run, question } = await effectOfUnknownEnd()
    house.answer = answer
    await house.kernel.answer(operator(), question?.id as never, 'try again', actor)
    await expect.poll(async () => (await pending(run)).length).toBe(1)
    await house.approve((await pending(run))[0] ?? '')
    expect((await house.settled(run)).calls[0]?.outcome).toBe('ok')
    expect(house.permits.map((permit) => permit.subject.key)).toEqual([
      expect.stringMatching(/\/1$/),
      expect.stringMatching(/\/2$/),
    ])
  })

  test('keeps a parked run through a restart of the kernel', async () => {
    script = () => ({ calls: [call('send')] })
    const { run } = await house.say('go')
    await house.settled(run, 'parked')
    await house.reopen()
    await house.approve((await pending(run))[0] ?? '')
    expect((await house.settled(run)).run.reason).toBe('completed')
  })
})

describe('steering', () => {
  test('reaches a working run at its next turn, whenever it was said', async () => {
    const answer = house.answer
    let session = ''
    house.answer = async (permit) => {
      await house.say('louder', session, 'steer')
      return answer(permit)
    }
    script = (words) => (words === 'go' ? { calls: [call('look')] } : { text: `heard ${words}` })
    const first = await house.say('hello')
    session = first.session
    await house.settled(first.run)
    const { run } = await house.say('go', session)
    const { run: ended } = await house.settled(run)
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
    const { session } = await house.say('0')
    for (let index = 1; index <= 5; index += 1) await house.say(String(index), session)
    await expect.poll(() => heard.length).toBe(6)
    expect(heard).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(most).toBe(1)
  })

  test('gives every event a number without gaps', async () => {
    script = () => ({ calls: [call('look')] })
    const before = await house.kernel.stream.head(operator())
    const runs = await Promise.all(Array.from({ length: 5 }, () => house.say('go')))
    for (const { run } of runs) await house.settled(run)
    await sleep(20)
    const events = await house.kernel.stream.since(operator(), before, 1_000)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => before + 1 + index))
    expect(await house.kernel.verifyLedger(operator())).toMatchObject({ ok: true })
  })
})
