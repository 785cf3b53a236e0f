import { type ApprovalId, idFrom, type ToolCatalogue, type ToolFacts } from '@countersign/contract'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HeldRun } from '../store/run-row.ts'
import { type DispatchBench, done, openDispatchBench } from '../testing/dispatch-bench.ts'
import { catalogue as base } from '../testing/test-kernel.ts'
import type { CallRow } from './call-rows.ts'
import type { DispatchPorts } from './dispatch-ports.ts'
import { callReplyOf, finishTurn } from './finish-turn.ts'
import { ledgerAlarmText } from './ledger-alarm.ts'

let bench: DispatchBench
let run: HeldRun
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  await bench.within(({ db }) => db.updateTable('approvals').set({ state: 'denied' }).execute())
  run = await bench.run({ tool_calls: 7 })
})

const question = { ...(base.find('look') as ToolFacts), name: 'question', runs: 'operator' as const }
const catalogue: ToolCatalogue = {
  ...base,
  find: (name) => (name === 'question' ? question : base.find(name)),
}
const call = (change: Partial<CallRow> | string = {}) =>
  bench.call(run, typeof change === 'string' ? { tool: change } : change)
const settled = (ports: Partial<DispatchPorts> = {}, fresh?: readonly CallRow[], turn = 1) =>
  finishTurn(
    bench.caller(run, { catalogue }),
    turn,
    new AbortController().signal,
    { ...bench.ports, ...ports },
    fresh,
  )
const textsOf = (outcome: Awaited<ReturnType<typeof settled>>) =>
  outcome.kind === 'results' ? outcome.replies.map(({ text }) => text) : outcome
const approvalOf = async ({ id }: CallRow) => (await bench.look(id)).approval_id as ApprovalId
const requestOf = (id: ApprovalId) => bench.ports.approvals.find(bench.operator, id)
const requests = () =>
  bench.store.read(bench.operator, (db) =>
    db.selectFrom('approvals').selectAll().where('run_id', '=', run.id).orderBy('id').execute(),
  )
/** The settings are in another state than the run knew, and these are the tools now. */
const afterSwitch = (tools: ToolCatalogue): Partial<DispatchPorts> => ({
  settings: sql<string>`'switched'`,
  tools: { open: () => Promise.resolve(tools) },
})
const withoutSend: ToolCatalogue = {
  ...catalogue,
  find: (name) => (name === 'send' ? undefined : catalogue.find(name)),
}
/** A call that waits for its approval. */
const askedFor = async (tool = 'send') => {
  const row = await call(tool)
  expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
  return { row, approval: await approvalOf(row) }
}

describe('a turn of calls', () => {
  test('ends with the replies of all of them in their order, and what people asked meanwhile', async () => {
    const rows = [await call('look'), await call('nothing'), await call('change')]
    bench.pendingControls = { stop: false, pause: false, words: false }
    const outcome = await settled()
    expect(outcome).toMatchObject({
      kind: 'results',
      replies: [
        { callId: rows[0]?.model_id, name: 'look', text: 'did look', isError: false },
        { callId: rows[1]?.model_id, name: 'nothing', isError: true },
        { callId: rows[2]?.model_id, name: 'change', text: 'did change', isError: false },
      ],
      control: { stop: false, pause: false },
      toolCalls: 7,
    })
  })

  test('only looks while the alarm of the ledger stands', async () => {
    await call('look')
    await call('change')
    await call('send')
    bench.pendingControls = { stop: false, pause: false, words: false, ledgerAlarm: true }
    expect(textsOf(await settled())).toEqual(['did look', ledgerAlarmText, ledgerAlarmText])
    expect(bench.sent.map(({ permit }) => permit.subject.tool.name)).toEqual(['look'])
  })

  test('ends without another look at the table when every call ended just now', async () => {
    const rows = [await call({ state: 'ended', outcome: 'invalid', result_text: 'no' }), await call('look')]
    let reads = 0
    const store = {
      ...bench.store,
      single: ((operator, work) => {
        reads += 1
        return bench.store.single(operator, work)
      }) as typeof bench.store.single,
    }
    const known = rows.map((row) => (row.state === 'ended' ? { ...row, result_text: 'at hand' } : row))
    const outcome = await settled({ store }, known)
    expect(textsOf(outcome)).toEqual(['at hand', 'did look'])
    expect(outcome).toMatchObject({ control: { stop: false, pause: false, steering: [] } })
    expect(outcome).not.toHaveProperty('toolCalls')
    const before = reads
    expect(textsOf(await settled({ store }))).toEqual(['no', 'did look'])
    expect(reads - before).toBe(1)
  })

  test('hears words that wait before the model goes on', async () => {
    await call('look')
    bench.pendingControls = { stop: false, pause: false, words: true }
    const control = () => Promise.resolve({ stop: false, pause: false, steering: ['wait'] })
    expect(await settled({ control })).toMatchObject({ control: { steering: ['wait'] }, toolCalls: 7 })
  })

  test('is read from the table where the rows at hand are of another turn', async () => {
    const other = await call('change')
    await call({ tool: 'look', turn: 2 })
    expect(textsOf(await settled({}, [other], 2))).toEqual(['did look'])
    expect((await bench.look(other.id)).state).toBe('proposed')
  })

  test('replaces what the database cannot hold in the reply, as it does in the row', async () => {
    const row = await call('look')
    bench.answer = (permit) => {
      const reply = done(permit)
      return reply.kind === 'done' ? { ...reply, result: { ...reply.result, text: 'a\0b' } } : reply
    }
    expect(textsOf(await settled({}, [row]))).toEqual(['a\uFFFDb'])
  })

  test('goes on with permits that were spent before, and judges those calls no more', async () => {
    const first = await call('look')
    const ports = { executors: { ...bench.ports.executors } }
    await settled({}, [first])
    const permit = (await bench.look(first.id)).permit
    const row = await call({ tool: 'look', state: 'intended', permit })
    const lost = await call({ tool: 'look', state: 'ended', outcome: 'ok', result_text: 'before' })
    bench.sent.length = 0
    const outcome = await settled(ports)
    expect(textsOf(outcome)).toEqual(['did look', 'did look', 'before'])
    expect(bench.sent.map(({ permit: sent }) => sent.subject.nonce)).toEqual([permit?.subject.nonce])
    expect((await bench.look(row.id)).decision).toBe(null)
    expect(lost.state).toBe('ended')
  })

  test('gives no reply for calls inside another; that one ends with them', async () => {
    const batch = await call({ tool: 'batch', args: '', state: 'waiting' })
    await call({ tool: 'look', parent_id: batch.id })
    const outcome = await settled()
    expect(outcome).toMatchObject({ replies: [{ callId: batch.model_id, isError: false }] })
    expect(textsOf(outcome)).toEqual(['[1] look: ok\ndid look'])
    expect(bench.events.filter(({ type }) => type === 'call.ended').at(-1)).toMatchObject({
      call: batch.id,
      outcome: 'ok',
    })
  })
})

describe('a tool that is switched off after its call was proposed', () => {
  test('is not there any more when the call is looked at', async () => {
    const row = await call('send')
    expect(textsOf(await settled(afterSwitch(withoutSend), [row]))).toEqual([expect.stringContaining('send')])
    expect(await bench.look(row.id)).toMatchObject({ state: 'ended', outcome: 'invalid' })
    expect(await requests()).toEqual([])
    expect(bench.sent).toEqual([])
  })

  test('is looked for among those that the run may use', async () => {
    const row = await call('send')
    const caller = bench.caller(run, { catalogue, restrict: () => withoutSend })
    const ports = { ...bench.ports, ...afterSwitch(catalogue) }
    await finishTurn(caller, 1, new AbortController().signal, ports, [row])
    expect(await bench.look(row.id)).toMatchObject({ state: 'ended', outcome: 'invalid' })
  })
})

describe('a call that waits for a person', () => {
  test('parks the run, on an approval or on a question', async () => {
    await askedFor()
    expect(bench.parked).toEqual(['approval'])
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    run = await bench.run()
    await call('question')
    expect(await settled()).toEqual({ kind: 'parked', on: 'question' })
    expect(await settled()).toEqual({ kind: 'parked', on: 'question' })
  })

  test('parks the run only when all else is done', async () => {
    const [sent, looked] = [await call('send'), await call('look')]
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    expect((await bench.look(looked.id)).outcome).toBe('ok')
    expect((await bench.look(sent.id)).state).toBe('asked')
    const later = await call('change')
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    expect((await bench.look(later.id)).outcome).toBe('ok')
  })

  test('parks the run in the unit that asks, also beside calls that ended or wait for it', async () => {
    await call({ state: 'ended', outcome: 'ok' })
    const batch = await call({ tool: 'batch', args: '', state: 'waiting' })
    await call({ tool: 'send', parent_id: batch.id })
    let units = 0
    const store: typeof bench.store = {
      ...bench.store,
      transact: (operator, work) => {
        units += 1
        return bench.store.transact(operator, work)
      },
    }
    expect(await settled({ store })).toEqual({ kind: 'parked', on: 'approval' })
    expect(units).toBe(1)
  })

  test('does not keep one from running that was approved', async () => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    const later = await call('send')
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    expect((await bench.look(row.id)).outcome).toBe('ok')
    expect((await bench.look(later.id)).state).toBe('asked')
  })

  test('is a question where an effect has an unknown end, whatever approved it', async () => {
    await call({ tool: 'send', state: 'unknown', outcome: 'unknown', approval_id: idFrom('apr', '1') })
    expect(await settled()).toEqual({ kind: 'parked', on: 'question' })
    expect(bench.parked).toEqual(['question'])
  })

  test('is not waited for when the run is to stop', async () => {
    await askedFor()
    bench.parked.length = 0
    await bench.within(({ db }) =>
      db.updateTable('runs').set({ stop_requested_at: bench.now }).where('id', '=', run.id).execute(),
    )
    expect(await settled()).toEqual({ kind: 'stopped' })
    expect(bench.parked).toEqual([])
  })

  test('is looked at again when it was decided meanwhile', async () => {
    const row = await call({ tool: 'look', state: 'asked', approval_id: idFrom('apr', '2') })
    let reads = 0
    const store: typeof bench.store = {
      ...bench.store,
      single: async (operator, work) => {
        const value = await bench.store.single(operator, work)
        reads += 1
        if (reads === 1)
          await bench.within(({ db }) =>
            db
              .updateTable('calls')
              .set({ state: 'ended', outcome: 'denied', result_text: 'no' })
              .where('id', '=', row.id)
              .execute(),
          )
        return value
      },
    }
    expect(textsOf(await settled({ store }))).toEqual(['no'])
    expect(bench.parked).toEqual([])
  })
})

describe('calls that find no room', () => {
  const sends = (count: number) => Promise.all(Array.from({ length: count }, () => call('send')))
  const states = async (rows: readonly CallRow[]) =>
    (await Promise.all(rows.map(({ id }) => bench.look(id)))).map(({ state }) => state)

  test('wait for an approval of the same run, and are asked when one is decided', async () => {
    const rows = await sends(6)
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    const before = await states(rows)
    expect(before.filter((state) => state === 'proposed')).toHaveLength(1)
    const [request] = await requests()
    await bench.ports.approvals.decide(
      bench.operator,
      request?.id ?? '',
      { verdict: 'deny', reason: null } as never,
      { kind: 'operator', id: 'desk', reach: 3 },
    )
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    const after = await states(rows)
    expect(after.filter((state) => state === 'asked')).toHaveLength(5)
    expect(after.filter((state) => state === 'ended')).toHaveLength(1)
  })

  test('are asked at once when one was decided before the run is parked', async () => {
    const looked = await call('look')
    const rows = await sends(6)
    let units = 0
    const store: typeof bench.store = {
      ...bench.store,
      transact: async (operator, work) => {
        const committed = await bench.store.transact(operator, work)
        units += 1
        // The decision and the outcome of the look are written; the run is about to be parked.
        if (units === 2) await bench.approve((await requests())[4]?.id as ApprovalId)
        return committed
      },
    }
    expect(await settled({ store })).toEqual({ kind: 'parked', on: 'approval' })
    expect((await bench.look(looked.id)).outcome).toBe('ok')
    expect((await states(rows)).toSorted()).toEqual(['approved', ...Array.from({ length: 5 }, () => 'asked')])
  })

  test('wait for room in the inbox when other runs have filled it', async () => {
    const mine = run
    run = await bench.run()
    await askedFor()
    await bench.within(({ db }) =>
      sql`insert into approvals select (jsonb_populate_record(one,
            jsonb_build_object('id', 'apr_filling' || n, 'code', 'F' || n))).*
          from approvals as one, generate_series(2, 50) as n
          where one.run_id = ${run.id} and one.state = 'pending'`.execute(db),
    )
    run = mine
    bench.parked.length = 0
    const rows = await sends(2)
    expect(await settled()).toEqual({ kind: 'parked', on: 'inbox' })
    expect(bench.parked).toEqual(['inbox'])
    expect(await states(rows)).toEqual(['proposed', 'proposed'])
  })
})

describe('an approval', () => {
  test('is spent once: permit, intent and record, and the call runs under its seal', async () => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    bench.entries.length = 0
    expect(textsOf(await settled())).toEqual(['did send'])
    const { seal, spent_at, digest } = await requestOf(approval)
    expect(spent_at).toEqual(bench.now)
    expect(bench.sent).toMatchObject([{ permit: { seal, subject: { approval } } }])
    expect(await bench.look(row.id)).toMatchObject({
      state: 'ended',
      outcome: 'ok',
      nonce: bench.sent[0]?.permit.subject.nonce,
      permit: bench.sent[0]?.permit,
      intended_at: bench.now,
    })
    expect(bench.entries.map(({ type }) => type)).toEqual(['effect.intended', 'effect.outcome'])
    expect(bench.entries[0]?.data).toMatchObject({ approval, digest, seal: 'device' })
  })

  const changedPolicy = () => {
    const { set } = compilePolicies({ autonomy: 'low', files: [] }) as { set: PolicySet }
    return { policies: { current: () => set } }
  }
  test.each<[string, () => Partial<DispatchPorts>]>([
    ['the policy changed', changedPolicy],
    ['the gateway was restored', () => ({ gateway: { ...bench.ports.gateway, epoch: 2 } })],
    ['ten minutes are over', () => ({ clock: () => new Date(bench.now.getTime() + 601_000) })],
  ])('is asked for anew when %s', async (_title, portsAfter) => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    expect(await settled(portsAfter())).toEqual({ kind: 'parked', on: 'approval' })
    expect(await requestOf(approval)).toMatchObject({ state: 'superseded', spent_at: null })
    const now = await bench.look(row.id)
    expect(now.state).toBe('asked')
    expect(now.approval_id).not.toBe(approval)
    expect(bench.sent).toEqual([])
  })

  test('is not spent while the alarm of the ledger stands, and the call is refused', async () => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    bench.pendingControls = { stop: false, pause: false, words: false, ledgerAlarm: true }
    expect(textsOf(await settled())).toEqual([ledgerAlarmText])
    expect(await requestOf(approval)).toMatchObject({ state: 'superseded', spent_at: null })
    expect(await bench.look(row.id)).toMatchObject({ state: 'ended', outcome: 'denied', permit: null })
    expect(bench.sent).toEqual([])
  })

  test('that was spent already, or has no seal, lets nothing run', async () => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    await bench.within(({ db }) =>
      db.updateTable('approvals').set({ spent_at: bench.now }).where('id', '=', approval).execute(),
    )
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    expect(await approvalOf(row)).not.toBe(approval)
    const second = await approvalOf(row)
    await bench.approve(second)
    await bench.within(({ db }) =>
      db.updateTable('approvals').set({ seal: null }).where('id', '=', second).execute(),
    )
    expect(await settled()).toEqual({ kind: 'parked', on: 'approval' })
    expect(bench.sent).toEqual([])
  })

  test('is kept while the run is paused, and not used when it is to stop', async () => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    bench.pendingControls = { stop: false, pause: true, words: false }
    expect(await settled()).toEqual({ kind: 'parked', on: 'paused' })
    bench.pendingControls = { stop: true, pause: false, words: false }
    expect(await settled()).toEqual({ kind: 'stopped' })
    expect(bench.sent).toEqual([])
    expect(await requestOf(approval)).toMatchObject({ state: 'approved', spent_at: null })
    expect((await bench.look(row.id)).state).toBe('approved')
  })

  test('stands when other settings changed, and the tool is as it was sealed', async () => {
    const { approval } = await askedFor()
    await bench.approve(approval)
    expect(textsOf(await settled(afterSwitch(catalogue)))).toEqual(['did send'])
  })

  test('is no longer used when the tool was switched off since', async () => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    expect(textsOf(await settled(afterSwitch(withoutSend)))).toEqual([expect.stringContaining('send')])
    expect(await requestOf(approval)).toMatchObject({ state: 'superseded', spent_at: null })
    expect(await bench.look(row.id)).toMatchObject({ state: 'ended', outcome: 'invalid' })
    expect(bench.sent).toEqual([])
  })

  test.each<[string, Partial<ToolFacts>]>([
    ['version', { version: '99' }],
    ['definition', { definition: 'f'.repeat(64) }],
    ['lowest tier', { floor: 4 }],
  ])('is asked for anew when the tool has another %s by now', async (_title, change) => {
    const { row, approval } = await askedFor()
    await bench.approve(approval)
    const changed = { ...(base.find('send') as ToolFacts), ...change }
    const tools = { ...catalogue, find: (name: string) => (name === 'send' ? changed : catalogue.find(name)) }
    expect(await settled(afterSwitch(tools))).toEqual({ kind: 'parked', on: 'approval' })
    expect(await approvalOf(row)).not.toBe(approval)
    expect(bench.sent).toEqual([])
  })

  test('must be there for a call that says it was approved', async () => {
    await call({ tool: 'send', state: 'approved' })
    await expect(settled()).rejects.toThrow(/approved without an approval/)
  })
})

describe('the reply of a call', () => {
  const row = {
    model_id: 'm1',
    model_tool: 'send',
    result_text: 'sent',
    outcome: 'ok' as const,
    edited_from: null,
    args: '{"to":"ana"}',
  }

  test('is an error whenever it did not go well', () => {
    expect(callReplyOf(row)).toEqual({ callId: 'm1', name: 'send', text: 'sent', isError: false })
    for (const outcome of ['failed', 'denied', 'unknown', 'invalid', 'withdrawn', null] as const)
      expect(callReplyOf({ ...row, outcome }).isError).toBe(true)
  })

  test('tells the model what the operator changed first', () => {
    const { text } = callReplyOf({ ...row, edited_from: idFrom('apr', '1') })
    expect(text).toContain('{"to":"ana"}')
    expect(text.endsWith('sent')).toBe(true)
  })
})
