import type { ToolResult } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { madeOf, openTestKernel, type Reply, type TestKernel } from '../testing/test-kernel.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let script: () => Reply
/** What the model says after results, where it is to go on. */
let again: (() => Reply) | undefined

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool' && again) return again()
    if (last?.role === 'tool')
      return { text: last.results.map((one) => `${one.isError ? 'error: ' : ''}${one.text}`).join(' | ') }
    return last?.role === 'user' ? script() : { text: '' }
  })
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

const done = (result: Partial<ToolResult>) => ({
  kind: 'done' as const,
  startedAt: new Date().toISOString(),
  endedAt: new Date().toISOString(),
  result: { ok: true, text: '', summary: 'done', undo: null, ...result },
})
/** A program that looks, then sends what it saw, then is done. */
const lookThenSend = (args: string) => {
  const { journal } = JSON.parse(args) as { journal: { call: string; ok: boolean; text: string }[] }
  if (journal.length === 0) return done({ calls: [{ tool: 'look', args: '{"at":"a"}' }] })
  if (journal.length === 1)
    return done({ calls: [{ tool: 'send', args: `{"words":"${journal[0]?.text}"}` }] })
  return done({ text: journal.map((one) => `${one.ok} ${one.text}`).join(', ') })
}
beforeEach(() => {
  testKernel.permits.length = 0
  testKernel.answer = ({ subject }) =>
    subject.tool.name === 'program' ? lookThenSend(subject.args) : done({ text: `did ${subject.tool.name}` })
})

const pending = async (run: string) =>
  (
    await testKernel.views().approvals(testKernel.kernel.operator, { state: 'pending', run: run as never })
  ).map((one) => one.code)
const lastWords = async (session: string) => {
  const detail = await testKernel.views().session(testKernel.kernel.operator, session as never)
  return detail.messages.at(-1)?.text
}

describe('a batch', () => {
  const batch = (...operations: { tool: string; args: object }[]) => ({
    calls: [{ name: 'batch', args: { operations } as never }],
  })

  test('judges each call on its own and gives one result', async () => {
    script = () =>
      batch({ tool: 'look', args: {} }, { tool: 'send', args: {} }, { tool: 'nothing', args: {} })
    const { run, session } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    expect(testKernel.permits.map((permit) => permit.subject.tool.name)).toEqual(['look'])
    await testKernel.approve((await pending(run))[0] ?? '')
    const { calls } = await testKernel.settled(run)
    expect(calls.map((call) => [call.tool, call.outcome, call.parent !== null])).toEqual([
      ['batch', 'ok', false],
      ['look', 'ok', true],
      ['send', 'ok', true],
      ['nothing', 'invalid', true],
    ])
    expect(await lastWords(session)).toBe(
      '[1] look: ok\ndid look\n\n[2] send: ok\ndid send\n\n[3] nothing: invalid\nThere is no tool named nothing.',
    )
  })

  test('stands in the chain of who asked for each of its calls', async () => {
    script = () => ({ calls: [...batch({ tool: 'look', args: {} }).calls, { name: 'look', args: {} }] })
    const { run } = await testKernel.say('go')
    await testKernel.settled(run)
    const ends = testKernel.permits.map(({ subject }) =>
      subject.chain.slice(-2).map(({ kind, id }) => `${kind} ${id}`),
    )
    expect(ends).toHaveLength(2)
    expect(ends).toContainEqual(['batch batch', 'tool look'])
    expect(ends).toContainEqual([`run ${run}`, 'tool look'])
  })

  test('keeps its place through a restart while one of its calls waits', async () => {
    script = () => batch({ tool: 'send', args: {} }, { tool: 'look', args: {} })
    const { run } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    await testKernel.reopen()
    await testKernel.approve((await pending(run))[0] ?? '')
    const { calls } = await testKernel.settled(run)
    expect(calls.map((call) => call.outcome)).toEqual(['ok', 'ok', 'ok'])
    expect(testKernel.permits.map((permit) => permit.subject.tool.name).toSorted()).toEqual(['look', 'send'])
  })

  test('says what was made when the operator goes another way', async () => {
    script = () => batch({ tool: 'change', args: {} }, { tool: 'send', args: {} })
    const { run, session } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    script = () => ({ text: 'As you say.' })
    await testKernel.say('never mind', session)
    const { calls } = await testKernel.settled(run)
    expect(calls.map((call) => call.outcome)).toEqual(['withdrawn', 'ok', 'withdrawn'])
    expect(calls[0]?.result).toContain('change: ok\nsend: withdrawn')
  })

  test('refuses a batch in a batch', async () => {
    script = () => batch({ tool: 'batch', args: { operations: [{ tool: 'look', args: {} }] } })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(calls.map((call) => call.outcome)).toEqual(['failed', 'invalid'])
    expect(testKernel.permits).toEqual([])
  })
})

describe('a flood', () => {
  const operations = (tool: string) => Array.from({ length: 20 }, () => ({ tool, args: {} }))
  const flood = (tool: string) => ({
    calls: Array.from({ length: 32 }, () => ({
      name: 'batch',
      args: { operations: operations(tool) } as never,
    })),
  })

  test('of batches makes as many effects as the turn may make calls', async () => {
    script = () => flood('change')
    const { run, session } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(testKernel.permits).toHaveLength(32)
    expect(calls.filter((call) => call.outcome === 'ok' && call.tool === 'change')).toHaveLength(32)
    expect(await lastWords(session)).toContain('a turn may make 32 calls')
  })

  test('of a program that asks for batches makes none of them', async () => {
    testKernel.answer = ({ subject }) =>
      subject.tool.name === 'program'
        ? done({
            calls: Array.from({ length: 28 }, () => ({
              tool: 'batch',
              args: JSON.stringify({ operations: operations('change') }),
            })),
          })
        : done({ text: 'changed' })
    script = () => ({ calls: [{ name: 'made', args: {} }] })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(calls[0]?.outcome).toBe('failed')
    expect(testKernel.permits.map((permit) => permit.subject.tool.name)).toEqual(['program'])
  })

  test('of requests waits its turn: five at a time, through a restart, and each is asked about once', async () => {
    script = () => flood('send')
    const { run } = await testKernel.say('go')
    const first = await testKernel.settled(run, 'parked')
    expect(await pending(run)).toHaveLength(5)
    expect(first.run).toMatchObject({ parkedOn: 'approval', callsWaiting: 27 })
    await testKernel.reopen()
    let decided = 0
    for (let waiting = await pending(run); waiting.length > 0; waiting = await pending(run)) {
      expect(waiting.length).toBeLessThanOrEqual(5)
      // The newest first: the run must go on without the oldest being decided.
      await testKernel.approve(waiting.toSorted().at(-1) ?? '')
      decided += 1
      if (decided < 32)
        await expect.poll(async () => (await pending(run)).length).toBe(Math.min(5, 32 - decided))
    }
    const { calls } = await testKernel.settled(run)
    expect(decided).toBe(32)
    expect(testKernel.permits).toHaveLength(32)
    expect(calls.filter((call) => call.tool === 'send' && call.outcome === 'ok')).toHaveLength(32)
  })

  test('of requests is withdrawn whole by other words and by a stop', async () => {
    script = () => flood('send')
    const steered = await testKernel.say('go')
    await testKernel.settled(steered.run, 'parked')
    script = () => ({ text: 'As you say.' })
    await testKernel.say('never mind', steered.session)
    expect((await testKernel.settled(steered.run)).calls.every((call) => call.outcome !== null)).toBe(true)
    expect(await pending(steered.run)).toEqual([])
    script = () => flood('send')
    const stopped = await testKernel.say('go')
    await testKernel.settled(stopped.run, 'parked')
    await testKernel.kernel.stopRun(testKernel.kernel.operator, stopped.run, { kind: 'operator', id: 'desk' })
    await testKernel.settled(stopped.run)
    expect(await pending(stopped.run)).toEqual([])
    expect(testKernel.permits).toEqual([])
  })

  test('over many runs fills the inbox to its limit; the next run waits for room and then asks', async () => {
    script = () => flood('send')
    const runs = await Promise.all(Array.from({ length: 11 }, () => testKernel.say('go')))
    const settled = await Promise.all(runs.map(({ run }) => testKernel.settled(run, 'parked')))
    const all = await testKernel.views().approvals(testKernel.kernel.operator, { state: 'pending' })
    expect(all).toHaveLength(50)
    const full = settled.filter(({ run }) => run.parkedOn === 'inbox')
    expect(full).toHaveLength(1)
    expect(full[0]?.run.callsWaiting).toBe(32)
    const last = full[0]?.run.id ?? ''
    const other = runs.find(({ run }) => run !== last)
    await testKernel.kernel.stopRun(testKernel.kernel.operator, other?.run as never, {
      kind: 'operator',
      id: 'desk',
    })
    await expect.poll(async () => (await pending(last)).length).toBe(5)
    for (const { run } of runs)
      await testKernel.kernel.stopRun(testKernel.kernel.operator, run, { kind: 'operator', id: 'desk' })
  })
})

describe('a tool that asks for calls', () => {
  test('has them pass the door and is run again with the answers bound to the questions', async () => {
    script = () => ({ calls: [{ name: 'made', args: { goal: 'x' } }] })
    const { run, session } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    expect(testKernel.permits.map((permit) => permit.subject.tool.name)).toEqual([
      'program',
      'look',
      'program',
    ])
    const [code = ''] = await pending(run)
    const asked = await testKernel.kernel.approval(testKernel.kernel.operator, code)
    expect(asked.card.headline).toBe('send {"words":"did look"}')
    await testKernel.approve(code)
    const { calls } = await testKernel.settled(run)
    expect(calls.map((call) => [call.tool, call.outcome])).toEqual([
      ['program', 'ok'],
      ['look', 'ok'],
      ['send', 'ok'],
    ])
    const last = testKernel.permits.at(-1)
    expect(JSON.parse(last?.subject.args ?? '')).toMatchObject({
      journal: [{ call: sha256Hex('look\n{"at":"a"}'), ok: true, text: 'did look' }, { ok: true }],
    })
    expect(new Set(testKernel.permits.map((permit) => permit.subject.key)).size).toBe(
      testKernel.permits.length,
    )
    expect(await lastWords(session)).toBe('true did look, true did send')
  })

  test('is told of a denial and goes on', async () => {
    script = () => ({ calls: [{ name: 'made', args: {} }] })
    const { run, session } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    const actor = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
    await testKernel.kernel.decide(
      testKernel.kernel.operator,
      (await pending(run))[0] ?? '',
      { verdict: 'deny', reason: 'no', stop: false },
      actor,
    )
    await testKernel.settled(run)
    expect(await lastWords(session)).toBe('true did look, false The operator denied this: no')
  })

  test('passes on what it was made from', async () => {
    script = () => ({ calls: [{ name: 'made', args: {} }] })
    const { run } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    expect(testKernel.permits[1]?.subject.provenance).toMatchObject(madeOf)
  })

  test('passes it on in a call by hand too', async () => {
    const actor = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
    const { run } = await testKernel.kernel.callTool(
      testKernel.kernel.operator,
      { tool: 'made', args: '{}' },
      actor,
    )
    await testKernel.settled(run, 'parked')
    expect(testKernel.permits[0]?.subject.provenance).toMatchObject(madeOf)
  })

  test('passes on what a tool was made from that it asked for', async () => {
    testKernel.answer = ({ subject }) =>
      subject.tool.name === 'program' && !subject.args.includes('"call"')
        ? done({ calls: [{ tool: 'made', args: '{"inner":"1"}' }] })
        : done({ text: 'seen' })
    script = () => ({ calls: [{ name: 'clean', args: {} }] })
    const { run } = await testKernel.say('go')
    await testKernel.settled(run)
    expect(testKernel.permits[0]?.subject.provenance.integrity).toBe('operator')
    expect(testKernel.permits[1]?.subject.provenance).toMatchObject(madeOf)
  })

  test('cannot be reached by its hidden name', async () => {
    script = () => ({
      calls: [
        { name: 'program', args: { journal: [] } },
        { name: 'batch', args: { operations: [{ tool: 'program', args: {} }] } as never },
      ],
    })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(calls.map((call) => call.outcome)).toEqual(['invalid', 'failed', 'invalid'])
    expect(testKernel.permits).toEqual([])
  })

  test('ends when it asks without end', async () => {
    testKernel.answer = ({ subject }) =>
      subject.tool.name === 'program'
        ? done({ calls: Array.from({ length: 9 }, () => ({ tool: 'look', args: '{}' })) })
        : done({ text: 'seen' })
    script = () => ({ calls: [{ name: 'made', args: {} }] })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(calls[0]).toMatchObject({
      outcome: 'failed',
      summary: 'It asked for too many calls: a turn may make 60 with its programs.',
    })
    expect(calls.length).toBeLessThanOrEqual(60)
  })

  test('spends the calls of the run with what it asks for', async () => {
    testKernel.answer = ({ subject }) =>
      subject.tool.name === 'program' && !subject.args.includes('"call"')
        ? done({ calls: Array.from({ length: 50 }, () => ({ tool: 'look', args: '{}' })) })
        : done({ text: 'seen' })
    let turns = 0
    again = () => (turns++ < 6 ? { calls: [{ name: turns % 2 === 0 ? 'made' : 'clean', args: {} }] } : {})
    script = () => again?.() ?? {}
    const { run } = await testKernel.say('go')
    const detail = await testKernel.settled(run)
    again = undefined
    const failed = detail.calls.filter((call) => call.outcome === 'failed')
    expect(failed[0]?.summary).toBe('It asked for too many calls: a run may make 200.')
    expect(detail.calls.length).toBeLessThanOrEqual(200)
  })

  test('ends when what it asks for asks in turn', async () => {
    testKernel.answer = ({ subject }) =>
      subject.tool.name === 'program' && !subject.args.includes('"call"')
        ? done({ calls: [{ tool: 'made', args: '{}' }] })
        : done({ text: 'seen' })
    script = () => ({ calls: [{ name: 'made', args: {} }] })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(calls).toHaveLength(4)
    expect(calls.at(-1)).toMatchObject({ outcome: 'failed', summary: 'Its calls are nested too deeply.' })
  })
})

describe('a rate', () => {
  test('refuses the call above it, for that person, before policy is asked', async () => {
    script = () => ({ calls: ['1', '2', '3'].map((at) => ({ name: 'limited', args: { at } })) })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run)
    expect(calls.map((call) => call.outcome)).toEqual(['ok', 'ok', 'denied'])
    expect(calls[2]?.summary).toMatch(/2 times in 60 seconds\. Try again in \d+ seconds/)
    expect(calls[2]?.decision).toBeNull()
  })
})

describe('a mark of a hidden value', () => {
  test('is refused in every spelling, and a zero character ends nothing', async () => {
    script = () => ({
      text: 'a\0b',
      calls: [
        { name: 'look', args: '{"at":"\\u2039secret:x\\u203a"}' },
        { name: 'send', args: {} },
      ],
    })
    const { run } = await testKernel.say('go')
    const { calls } = await testKernel.settled(run, 'parked')
    expect(calls[0]).toMatchObject({ outcome: 'invalid', summary: expect.stringContaining('mark') })
    expect(testKernel.permits).toEqual([])
  })
})

describe('a direct call', () => {
  test('passes the same door as a model’s', async () => {
    const actor = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
    const { run } = await testKernel.kernel.callTool(
      testKernel.kernel.operator,
      { tool: 'send', args: '{}' },
      actor,
    )
    await testKernel.settled(run, 'parked')
    expect(testKernel.permits).toEqual([])
    await testKernel.approve((await pending(run))[0] ?? '')
    expect((await testKernel.settled(run)).run).toMatchObject({ kind: 'direct', reason: 'completed' })
    expect(testKernel.permits).toHaveLength(1)
  })

  test('can be looked at without being made', async () => {
    const [tried] = await testKernel.kernel.tryTool(testKernel.kernel.operator, { tool: 'send', args: '{}' })
    expect(tried).toMatchObject({ kind: 'judged', decision: 'ask', card: { tier: 3 } })
    expect(testKernel.permits).toEqual([])
  })
})
