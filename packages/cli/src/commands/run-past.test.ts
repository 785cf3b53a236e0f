import { type CallView, emptyLive, fold, type GatewayEvent } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { approvalDetail, newId } from '../testing/records.ts'
import { alignCalls } from './run-compare.ts'
import { newItems } from './run-items.ts'
import { pauseBefore, until } from './run-replay.ts'

const now = '2026-08-01T12:30:00.000Z'
let bench: CommandBench
beforeEach(async () => {
  bench = await openCommandBench(now)
})
afterEach(() => bench.close())

/** A run that asked, was allowed, did something and ended. */
async function ran() {
  const { gateway } = bench
  const ids = { session: newId('ses'), run: newId('run') }
  gateway.onMessage = (message) => {
    Object.assign(ids, { session: message.session, run: message.run })
    const call = newId('call')
    const about = {
      session: message.session,
      run: message.run,
      call,
      tool: 'http_request',
      headline: 'POST it',
    }
    const decision = { kind: 'ask' as const, tier: 2 as const, rules: [], raised: [], reason: 'New.' }
    gateway.emit({ type: 'call.decided', ...about, decision })
    const parts = { identity: bench.home.establish(), code: 'K7Q2', tier: 2 as const, now: new Date(now) }
    gateway.onDecision = () => {
      gateway.emit({ type: 'call.ended', ...about, outcome: 'ok', summary: '200', undoable: false })
      gateway.reply(message, 'Sent it.')
    }
    gateway.ask(approvalDetail({ ...parts, ...about }))
  }
  await bench.command(['ask', 'Send the report'])
  return ids
}

describe('run replay', () => {
  it('shows what was said, asked and done, as of its end', async () => {
    const { run } = await ran()
    const waiting = await bench.command(['run', 'replay', run])
    expect(waiting.text).toContain('Status  waiting for you')
    expect(waiting.text).toContain('Waits   K7Q2')
    await bench.command(['approval', 'approve', 'K7Q2', '--yes'])
    const { text } = await bench.command(['run', 'replay', run])
    expect(text).toContain('Status  done')
    expect(text).not.toContain('Waits')
    expect(text).toMatch(/You {2}12:00\n {2}Send the report/)
    expect(text).toContain('⏸ K7Q2  Crosses a boundary')
    expect(text).toMatch(/✓ \S/)
    expect(text).toMatch(/Assistant {2}12:00\n {2}Sent it\./)
  })

  it('gives the same as data', async () => {
    const { run } = await ran()
    expect(await bench.document(['run', 'replay', run])).toMatchObject({
      ok: true,
      run,
      status: 'waiting for you',
      approvals: [{ code: 'K7Q2' }],
    })
  })

  it('plays it, each thing as it came', async () => {
    const { run } = await ran()
    await bench.command(['approval', 'approve', 'K7Q2', '--yes'])
    const { text } = await bench.command(['run', 'replay', run, '--speed', '1000'])
    const waits = text.indexOf('waits for you')
    expect(waits).toBeGreaterThan(0)
    expect(text.indexOf('approved by you')).toBeGreaterThan(waits)
    expect(text.match(/Send the report/g)).toHaveLength(1)
  })

  const at = (times: readonly string[]): GatewayEvent[] =>
    times.map((time, seq) => ({ seq, at: time, body: { type: 'notice', about: '', text: '' } }))
  const inZone = { moment: () => ({ now: new Date(now), zone: 'UTC' }) }

  it('stops at the end of a minute, also of the next day', () => {
    const log = at(['2026-08-01T23:58:10.000Z', '2026-08-01T23:58:50.000Z', '2026-08-02T00:01:00.000Z'])
    expect(until(log, '23:58', inZone)).toHaveLength(2)
    expect(until(log, '0:00', inZone)).toHaveLength(2)
    expect(until(log, '00:01', inZone)).toHaveLength(3)
  })

  it('says when a run began instead of showing a time before it', () => {
    expect(until(at(['2026-08-01T14:02:00.000Z', '2026-08-01T14:05:00.000Z']), '14:01', inZone)).toBe(
      'The run began at 14:02.',
    )
  })

  it('never waits long for what took a person long', () => {
    const [first, second] = at(['2026-08-01T14:00:00.000Z', '2026-08-01T14:10:00.000Z']) as [
      GatewayEvent,
      GatewayEvent,
    ]
    expect(pauseBefore(first, second, 1)).toBe(1_500)
    expect(pauseBefore(first, first, 1)).toBe(60)
  })
})

describe('run tail', () => {
  it('begins at the beginning and ends with the run', async () => {
    const { run } = await ran()
    const tailed = bench.command(['run', 'tail', run])
    await bench.command(['approval', 'approve', 'K7Q2', '--yes'])
    const { exit, text } = await tailed
    expect(exit).toBe(0)
    expect(text).toContain('Send the report')
    expect(text).toContain('Sent it.')
    expect(text).toContain('— ended, completed')
  })

  it('gives one event on a line, each once, and survives a connection that breaks', async () => {
    const { run } = await ran()
    const tailed = bench.command(['run', 'tail', run, '--stream'])
    setTimeout(() => bench.gateway.drop(), 100)
    await bench.command(['approval', 'approve', 'K7Q2', '--yes'])
    const events = (await tailed).text
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as GatewayEvent)
    const seqs = events.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b))
    expect(events.at(-1)?.body.type).toBe('run.ended')
    expect(events.every(({ body }) => 'run' in body && body.run === run)).toBe(true)
  })

  it('leaves a run that goes on when its time is over', async () => {
    const { run } = await ran()
    const { exit, text } = await bench.command(['run', 'tail', run, '--wait', '200ms'])
    expect(exit).toBe(0)
    expect(text).not.toContain('ended')
  })

  it('says 3 for one that is not there', async () => {
    expect((await bench.command(['run', 'tail', newId('run')])).exit).toBe(3)
  })
})

it('a message that begins to be worked on is not said twice', () => {
  const [session, run, input] = [newId('ses'), newId('run'), newId('inp')]
  const bodies = [
    { type: 'input.admitted' as const, session, input, run: null, text: 'Hello', mode: 'auto' as const },
    { type: 'run.started' as const, session, run, input },
  ]
  const events = bodies.map((body, at): GatewayEvent => ({ seq: at + 1, at: now, body }))
  const before = fold(emptyLive, events.slice(0, 1))
  expect(newItems(emptyLive, before)).toHaveLength(1)
  expect(newItems(before, fold(before, events))).toEqual([])
})

describe('run fork', () => {
  it('forks before the run, without effects, and sends its message again', async () => {
    const { run } = await ran()
    bench.gateway.onMessage = () => undefined
    const value = await bench.document(['run', 'fork', run])
    expect(value).toMatchObject({ ok: true, simulate: true, run: expect.stringMatching(/^run_/) })
    expect(bench.gateway.messages).toEqual(['Send the report', 'Send the report'])
    const { text } = await bench.command(['run', 'fork', run, '--no-simulate'])
    expect(text).toContain('It has effects')
    expect(text).toContain('countersign run tail run_')
    // The gateway knows whose words they were; what is sent by hand would be the operator's.
    expect(bench.gateway.changes.filter((change) => change.endsWith(`/runs/${run}/retry`))).toHaveLength(2)
  })

  it('says 3 for a run that is not there, and sends nothing', async () => {
    expect((await bench.command(['run', 'fork', newId('run')])).exit).toBe(3)
    expect(bench.gateway.messages).toEqual([])
  })
})

describe('run compare', () => {
  const call = (tool: string, args: string): CallView => ({
    id: newId('call'),
    parent: null,
    turn: 1,
    tool,
    headline: `${tool} ${args}`,
    args,
    tier: 1,
    decision: null,
    state: 'ended',
    outcome: 'ok',
    summary: '',
    result: '',
    approval: null,
    undoable: false,
    undone: false,
    intendedAt: null,
    startedAt: null,
    endedAt: null,
  })

  it('calls a step the same only with the same tool and the same arguments', () => {
    const left = [call('read', '1'), call('read', '2'), call('read', '3')]
    const right = [call('read', '1'), call('write', '2')]
    expect(alignCalls(left, right)).toMatchObject([
      { step: 1, same: true },
      { step: 2, same: false },
      { step: 3, same: false, right: null },
    ])
  })

  it('shows both, and says when neither made a call', async () => {
    const { run } = await ran()
    const { text } = await bench.command(['run', 'compare', run, run])
    expect(text).toContain('Neither made a call.')
    expect(text.match(new RegExp(run, 'g'))).toHaveLength(2)
  })
})
