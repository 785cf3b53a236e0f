import { randomUUIDv7 } from 'node:crypto'
import { type Decision, idFrom, operatorLabel, type Permit } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HeldRun } from '../store/run-row.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import {
  type CallRow,
  callsOfTurn,
  type DecidedCall,
  type EndedCall,
  insertCalls,
  type NewCall,
  viewOfCall,
  writeDecidedCalls,
  writeEndedCalls,
} from './call-rows.ts'

let bench: DispatchBench
let run: HeldRun
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  run = await bench.run()
})

const requester = { kind: 'peer' as const, id: 'ana' }
const newCall = (position: number, change: Partial<NewCall> = {}): NewCall => ({
  id: idFrom('call', randomUUIDv7()),
  position,
  modelId: `m${position}`,
  modelTool: 'made',
  rawArgs: ' {}',
  tool: 'look',
  args: '{}',
  headline: 'Look',
  state: 'proposed',
  invalid: null,
  parent: null,
  requester: null,
  origin: null,
  ...change,
})
const insert = (calls: readonly NewCall[], turn = 1) =>
  bench.within((unit) => insertCalls(unit, run, turn, calls))

describe('proposed calls', () => {
  test('become rows of their run and turn', async () => {
    const first = newCall(1)
    const [row] = await insert([first], 3)
    expect(row).toMatchObject({
      id: first.id,
      session_id: run.session,
      run_id: run.id,
      turn: 3,
      position: 1,
      model_id: 'm1',
      model_tool: 'made',
      raw_args: ' {}',
      tool: 'look',
      args: '{}',
      headline: 'Look',
      state: 'proposed',
      parent_id: null,
      requester: null,
      outcome: null,
      result_text: '',
      summary: '',
      ended_at: null,
    })
    const [inner] = await insert([newCall(2, { parent: first.id, requester })], 3)
    expect(inner).toMatchObject({ parent_id: first.id, requester })
    expect(bench.events).toEqual([])
  })

  test('that are not valid have ended, and people are told', async () => {
    const [row] = await insert([newCall(1, { state: 'ended', invalid: 'No such tool.' })])
    expect(row).toMatchObject({
      state: 'ended',
      outcome: 'invalid',
      result_text: 'No such tool.',
      summary: 'No such tool.',
      ended_at: bench.now,
    })
    expect(bench.events).toEqual([
      {
        type: 'call.ended',
        session: run.session,
        run: run.id,
        call: row?.id,
        tool: 'look',
        headline: 'Look',
        outcome: 'invalid',
        summary: 'No such tool.',
        undoable: false,
      },
    ])
  })

  test('are written all, also more than one statement takes', async () => {
    const flood = Array.from({ length: 4_000 }, (_none, index) => newCall(index))
    const rows = await insert(flood)
    expect(rows.map(({ id }) => id)).toEqual(flood.map(({ id }) => id))
    expect(await insert([])).toEqual([])
  })

  test('are read by run and turn in their order', async () => {
    const calls = [newCall(2), newCall(1)]
    await insert(calls)
    await insert([newCall(3)], 2)
    await bench.call(await bench.run())
    const rows = await bench.store.read(bench.operator, (db) => callsOfTurn(db, run.id, 1))
    expect(rows.map(({ position }) => position)).toEqual([1, 2])
  })
})

const decision: Decision = { kind: 'ask', tier: 2, rules: [], raised: [], reason: '' }
const permit = { subject: { nonce: 'n' } } as unknown as Permit

describe('what was decided', () => {
  const judged = (row: CallRow, change: Partial<DecidedCall>): DecidedCall => ({
    id: row.id,
    state: 'proposed',
    judged: null,
    decision,
    outcome: null,
    text: '',
    approval: null,
    permit: null,
    ...change,
  })

  test('is written for each call, with the times that belong to its state', async () => {
    const rows = [await bench.call(run), await bench.call(run), await bench.call(run), await bench.call(run)]
    const [intends, ends, asks, untouched] = rows as [CallRow, CallRow, CallRow, CallRow]
    const approval = idFrom('apr', '1')
    await bench.within(async (unit) => {
      await writeDecidedCalls(unit, [])
      await writeDecidedCalls(unit, [
        judged(intends, { state: 'intended', permit }),
        judged(ends, { state: 'ended', outcome: 'denied', text: 'no\0', decision: null }),
        judged(asks, { state: 'asked', approval }),
      ])
    })
    const now = bench.now
    expect(await bench.look(intends.id)).toMatchObject({
      state: 'intended',
      decision,
      tier: 2,
      permit,
      nonce: 'n',
      intended_at: now,
      ended_at: null,
      approval_id: null,
      outcome: null,
    })
    expect(await bench.look(ends.id)).toMatchObject({
      state: 'ended',
      decision: null,
      tier: null,
      outcome: 'denied',
      result_text: 'no\uFFFD',
      summary: 'no\uFFFD',
      intended_at: null,
      ended_at: now,
      permit: null,
      nonce: null,
    })
    expect(await bench.look(asks.id)).toMatchObject({ state: 'asked', approval_id: approval, ended_at: null })
    expect(await bench.look(untouched.id)).toEqual(untouched)
  })
})

describe('how calls ended', () => {
  const ended = (row: CallRow, change: Partial<EndedCall> = {}): EndedCall => ({
    id: row.id,
    state: 'ended',
    outcome: 'ok',
    text: 'all\0',
    summary: 'sum\0',
    startedAt: null,
    undo: null,
    label: null,
    ...change,
  })

  test('is written for each, and a time of beginning is never lost', async () => {
    const begun = new Date('2026-01-01T00:00:00.000Z')
    const undo = { tool: 'change', args: '{}' }
    const [first, second] = [await bench.call(run), await bench.call(run, { started_at: begun })]
    await bench.within(async (unit) => {
      await writeEndedCalls(unit, [])
      await writeEndedCalls(unit, [
        ended(first, { startedAt: begun.toISOString(), undo, label: operatorLabel }),
        ended(second, { state: 'unknown', outcome: 'unknown' }),
      ])
    })
    expect(await bench.look(first.id)).toMatchObject({
      state: 'ended',
      outcome: 'ok',
      result_text: 'all\uFFFD',
      summary: 'sum\uFFFD',
      started_at: begun,
      ended_at: bench.now,
      undo,
      output_label: operatorLabel,
    })
    expect(await bench.look(second.id)).toMatchObject({
      state: 'unknown',
      outcome: 'unknown',
      started_at: begun,
      undo: null,
      output_label: null,
    })
  })
})

test('what a call does not have is absent in its row, so that a query finds it', async () => {
  const row = await bench.call(run)
  const nothing = { outcome: null, decision: null, approval: null, permit: null, judged: null }
  const none = { id: row.id, text: '', ...nothing }
  const end = { id: row.id, text: '', summary: '', startedAt: null, undo: null, label: null }
  await bench.within(async (unit) => {
    await writeDecidedCalls(unit, [{ ...none, state: 'proposed' }])
    await writeEndedCalls(unit, [{ ...end, state: 'ended', outcome: 'ok' }])
  })
  const [inserted] = await insert([newCall(900)])
  const found = await bench.store.read(bench.operator, (db) =>
    db
      .selectFrom('calls')
      .select('id')
      .where('run_id', '=', run.id)
      .where('decision', 'is', null)
      .where('permit', 'is', null)
      .where('undo', 'is', null)
      .where('output_label', 'is', null)
      .where('requester', 'is', null)
      .orderBy('position')
      .execute(),
  )
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set([row.id, inserted?.id]))
})

describe('what people see of a call', () => {
  test('is what its row says, without hidden values and not longer than anybody reads', async () => {
    const at = new Date('2026-01-01T00:00:00.000Z')
    const row = await bench.call(run, {
      args: '{"a":"hidden"}',
      tier: 2,
      decision,
      state: 'ended',
      outcome: 'ok',
      summary: 'sum',
      result_text: 'x'.repeat(30_000),
      approval_id: idFrom('apr', '1'),
      undo: { tool: 'change', args: '{}' },
      intended_at: at,
      started_at: at,
      ended_at: at,
    })
    const seen = viewOfCall(row, bench.ports.redact)
    expect(seen).toMatchObject({
      id: row.id,
      parent: null,
      turn: 1,
      args: '{"a":"…"}',
      tier: 2,
      decision,
      state: 'ended',
      outcome: 'ok',
      summary: 'sum',
      approval: 'apr_1',
      undoable: true,
      undone: false,
      intendedAt: at.toISOString(),
      startedAt: at.toISOString(),
      endedAt: at.toISOString(),
    })
    expect(seen.result).toHaveLength(20_000)
  })

  test('cannot be taken back twice, nor without an undo', async () => {
    const row = await bench.call(run)
    const undo = { tool: 'change', args: '{}' }
    expect(viewOfCall(row, String)).toMatchObject({
      undoable: false,
      undone: false,
      intendedAt: null,
      startedAt: null,
      endedAt: null,
    })
    expect(viewOfCall({ ...row, undo }, String).undoable).toBe(true)
    expect(viewOfCall({ ...row, undo, undone_by: run.id }, String)).toMatchObject({
      undoable: false,
      undone: true,
    })
  })
})
