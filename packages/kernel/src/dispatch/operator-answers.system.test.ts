import { type ApprovalId, idFrom, type QuestionId } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApprovalRow } from '../approvals/approval-row.ts'
import { askQuestion, unknownChoices } from '../approvals/questions.ts'
import type { HeldRun, RunRow } from '../store/run-row.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { authorize } from './authorize.ts'
import type { CallRow } from './call-rows.ts'
import { answerQuestion, editCall, steerRun, verdictReached, withdrawAll } from './operator-answers.ts'

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

const actor = { kind: 'operator', id: 'desk' } as const
const ports = () => ({ store: bench.store, resume: bench.resume })
const runNow = () =>
  bench.store.read(bench.operator, (db) =>
    db.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow(),
  )
const parkedOn = (on: RunRow['parked_on']) =>
  bench.within(({ db }) =>
    db.updateTable('runs').set({ state: 'parked', parked_on: on }).where('id', '=', run.id).execute(),
  )
const request = (id: ApprovalId) => bench.ports.approvals.find(bench.operator, id)
/** A call that waits for an approval. */
const asked = async (args = '{}') => {
  const row = await bench.call(run, { tool: 'send', args })
  await authorize(bench.caller(run), [row], false, bench.ports)
  const now = await bench.look(row.id)
  bench.entries.length = 0
  bench.events.length = 0
  return { row: now, approval: now.approval_id as ApprovalId }
}
/** A call that waits for an answer. */
const questioned = async (kind: 'operator' | 'unknown', change: Partial<CallRow> = {}) => {
  const state = kind === 'operator' ? ('asked' as const) : ('unknown' as const)
  const row = await bench.call(run, { state, ...change })
  const question = await bench.within((unit) =>
    askQuestion(
      unit,
      {
        kind,
        session: run.session,
        run: run.id,
        call: row.id,
        text: '?',
        choices: kind === 'unknown' ? unknownChoices : [],
      },
      () => crypto.randomUUID(),
    ),
  )
  bench.entries.length = 0
  bench.events.length = 0
  return { row, question }
}

describe('a verdict', () => {
  const reached = async (row: CallRow, change: Partial<ApprovalRow>) => {
    const seen = await runNow()
    await bench.within((unit) =>
      verdictReached(unit, { call_id: row.id, reason: null, ...change } as ApprovalRow, seen, ports()),
    )
    return bench.look(row.id)
  }

  test('lets its call go on when it is approved', async () => {
    const { row, approval } = await asked()
    await bench.approve(approval)
    expect(await bench.look(row.id)).toMatchObject({ state: 'approved', outcome: null })
  })

  test.each([
    ['denied', 'denied'],
    ['expired', 'denied'],
    ['withdrawn', 'withdrawn'],
  ] as const)('ends its call when it is %s', async (state, outcome) => {
    const row = await bench.call(run, { tool: 'send', state: 'asked' })
    const now = await reached(row, { state, reason: 'because' })
    expect(now).toMatchObject({ state: 'ended', outcome, started_at: null, undo: null, output_label: null })
    expect(now.result_text.includes('because')).toBe(state !== 'expired')
    expect(now.summary).toBe(now.result_text)
    expect(bench.events).toEqual([
      {
        type: 'call.ended',
        session: run.session,
        run: run.id,
        call: row.id,
        tool: 'send',
        headline: 'send',
        outcome,
        summary: now.summary,
        undoable: false,
      },
    ])
  })

  test('without a reason gives none', async () => {
    const row = await bench.call(run, { state: 'asked' })
    expect((await reached(row, { state: 'denied' })).result_text).not.toContain('null')
    const other = await bench.call(run, { state: 'asked' })
    expect((await reached(other, { state: 'withdrawn' })).result_text).not.toContain('null')
  })

  test.each(['approval', 'question'] as const)('lets a run go on that waits on: %s', async (on) => {
    const row = await bench.call(run, { state: 'asked' })
    await parkedOn(on)
    await reached(row, { state: 'denied' })
    expect(bench.resumed).toEqual([run.id])
  })

  test('leaves a run alone that works, or waits for something else', async () => {
    await reached(await bench.call(run, { state: 'asked' }), { state: 'denied' })
    for (const on of ['paused', 'inbox'] as const) {
      await parkedOn(on)
      await reached(await bench.call(run, { state: 'asked' }), { state: 'denied' })
    }
    expect(bench.resumed).toEqual([])
  })

  test.each(['asked', 'unknown'] as const)('waits for an earlier call that is %s', async (state) => {
    await bench.call(run, { state: 'ended', outcome: 'ok' })
    await bench.call(run, { state })
    const row = await bench.call(run, { state: 'asked' })
    await parkedOn('approval')
    await reached(row, { state: 'denied' })
    expect(bench.resumed).toEqual([])
  })

  test('goes on before a later one, beside calls around it, and whatever another turn waits for', async () => {
    await bench.call(run, { state: 'asked', turn: 2 })
    await bench.call(run, { state: 'waiting', args: '' })
    const row = await bench.call(run, { state: 'asked' })
    await bench.call(run, { state: 'asked' })
    await parkedOn('approval')
    await reached(row, { state: 'approved' })
    expect(bench.resumed).toEqual([run.id])
  })

  test('goes on when something that found no space can be asked', async () => {
    await bench.call(run, { state: 'asked' })
    const row = await bench.call(run, { state: 'asked' })
    await bench.call(run, { state: 'proposed' })
    await parkedOn('approval')
    await reached(row, { state: 'denied' })
    expect(bench.resumed).toEqual([run.id])
  })
})

describe('arguments that the operator changes', () => {
  const editing = () => ({
    ...ports(),
    approvals: bench.ports.approvals,
    tools: bench.ports.tools,
  })

  test('take the place of the agent’s: the request ends and the call is authorized anew', async () => {
    const { row, approval } = await asked('{"to":"a"}')
    await editCall(bench.operator, approval, ' {"to": "b"} ', actor, editing())
    expect(await bench.look(row.id)).toMatchObject({
      state: 'proposed',
      approval_id: null,
      edited_from: approval,
      args: '{"to":"b"}',
      headline: 'send {"to":"b"}',
      raw_args: '{"to":"a"}',
    })
    expect(await request(approval)).toMatchObject({ state: 'superseded', seal: null, decided_by: 'desk' })
    expect(bench.entries.at(-1)).toMatchObject({
      type: 'call.edited',
      actor,
      run: run.id,
      call: row.id,
      approval,
      data: { tool: 'send', before: sha256Hex('{"to":"a"}'), after: sha256Hex('{"to":"b"}') },
    })
    expect(bench.resumed).toEqual([])
  })

  test('let a run go on that waits for the approval, and no other', async () => {
    for (const [on, resumed] of [
      ['question', 0],
      ['approval', 1],
    ] as const) {
      bench.resumed.length = 0
      run = await bench.run()
      const { approval } = await asked()
      await parkedOn(on)
      await editCall(bench.operator, approval, '{"to":"b"}', actor, editing())
      expect(bench.resumed).toHaveLength(resumed)
    }
  })

  test('are refused when they do not fit the tool, and nothing changes', async () => {
    const { row, approval } = await asked()
    await expect(editCall(bench.operator, approval, '{', actor, editing())).rejects.toMatchObject({
      code: 'usage',
    })
    expect((await bench.look(row.id)).state).toBe('asked')
    expect((await request(approval)).state).toBe('pending')
  })

  test('come too late when the request was decided', async () => {
    const { row, approval } = await asked()
    await bench.approve(approval)
    await expect(editCall(bench.operator, approval, '{"to":"b"}', actor, editing())).rejects.toThrow()
    expect(await bench.look(row.id)).toMatchObject({ state: 'approved', args: '{}' })
  })
})

describe('the answer to a question', () => {
  const say = (id: QuestionId, words: string) => answerQuestion(bench.operator, id, words, actor, ports())
  const questionNow = (id: QuestionId) =>
    bench.store.read(bench.operator, (db) =>
      db.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )

  test('is the result of the call that asked', async () => {
    const { row, question } = await questioned('operator')
    await say(question, 'blue')
    expect(await bench.look(row.id)).toMatchObject({ state: 'ended', outcome: 'ok', result_text: 'blue' })
    expect(await questionNow(question)).toMatchObject({ state: 'answered', answer: 'blue' })
    expect(bench.entries.map(({ type }) => type)).toEqual(['question.answered'])
  })

  test.each([
    ['done', 'ok'],
    ['not done', 'failed'],
  ] as const)('settles an effect of unknown end: %s', async (words, outcome) => {
    const { row, question } = await questioned('unknown')
    await say(question, words)
    expect(await bench.look(row.id)).toMatchObject({ state: 'ended', outcome })
    expect(bench.entries.at(-1)).toMatchObject({
      type: 'effect.settled',
      actor,
      session: run.session,
      run: run.id,
      call: row.id,
      data: { answer: words },
    })
  })

  test('lets the effect be tried again: as another attempt, with nothing of the first', async () => {
    const { row, question } = await questioned('unknown', {
      outcome: 'unknown',
      nonce: 'n',
      permit: {} as never,
      approval_id: idFrom('apr', '1'),
      ended_at: bench.now,
    })
    await say(question, 'try again')
    expect(await bench.look(row.id)).toMatchObject({
      state: 'proposed',
      outcome: null,
      attempt: row.attempt + 1,
      nonce: null,
      permit: null,
      approval_id: null,
      ended_at: null,
    })
  })

  test('changes that call alone', async () => {
    const other = await bench.call(run, { state: 'unknown' })
    const { question } = await questioned('unknown')
    await say(question, 'try again')
    expect(await bench.look(other.id)).toMatchObject({ state: 'unknown', attempt: 1 })
  })

  test('lets a run go on that waits for a person, and no other', async () => {
    for (const [on, resumed] of [
      [null, 0],
      ['paused', 0],
      ['question', 1],
      ['approval', 1],
    ] as const) {
      bench.resumed.length = 0
      run = await bench.run()
      const { question } = await questioned('operator')
      if (on) await parkedOn(on)
      await say(question, 'yes')
      expect([on, bench.resumed.length]).toEqual([on, resumed])
    }
  })

  test('needs a question', async () => {
    await expect(say(idFrom('q', '0'), 'yes')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('words to a parked run', () => {
  const steered = async (words: string) => {
    const seen = await runNow()
    return bench.within((unit) => steerRun(unit, seen, words, actor, bench.ports.approvals))
  }

  test('wait in the lane while it is paused', async () => {
    const { row, question } = await questioned('operator')
    await parkedOn('paused')
    expect(await steered('blue')).toBe(false)
    expect((await bench.look(row.id)).state).toBe('asked')
    expect(question).toMatch(/^q_/)
  })

  test('answer the open question and take back what waits for approval', async () => {
    const { row } = await questioned('operator')
    const { row: sent, approval } = await asked()
    expect(await steered('blue')).toBe(true)
    expect(await bench.look(row.id)).toMatchObject({ outcome: 'ok', result_text: 'blue' })
    expect((await bench.look(sent.id)).outcome).toBe('withdrawn')
    expect((await request(approval)).state).toBe('withdrawn')
  })

  test('wait in the lane while an effect of unknown end needs a plain answer', async () => {
    const { row } = await questioned('unknown')
    const { row: other } = await questioned('operator')
    expect(await steered('never mind')).toBe(false)
    expect((await bench.look(row.id)).state).toBe('unknown')
    expect((await bench.look(other.id)).state).toBe('asked')
  })

  test('that settle such an effect mean that effect only', async () => {
    const { row } = await questioned('unknown')
    const { row: sent, approval } = await asked()
    expect(await steered('done')).toBe(true)
    expect((await bench.look(row.id)).outcome).toBe('ok')
    expect((await bench.look(sent.id)).state).toBe('asked')
    expect((await request(approval)).state).toBe('pending')
  })

  test('that sound like a settlement take back what waits where nothing is unknown', async () => {
    const { row } = await asked()
    expect(await steered('done')).toBe(true)
    expect((await bench.look(row.id)).outcome).toBe('withdrawn')
  })
})

describe('taking everything back', () => {
  const withdrawn = async (words = 'instead') => {
    const seen = await runNow()
    await bench.within((unit) => withdrawAll(unit, seen, words, actor, bench.ports.approvals))
  }
  const outcomes = (...rows: CallRow[]) =>
    Promise.all(rows.map(async ({ id }) => (await bench.look(id)).outcome))

  test('ends what waits, what was approved and what was not judged yet, each with the words', async () => {
    const waits = await asked()
    const approved = await asked()
    await bench.approve(approved.approval)
    const proposed = await bench.call(run)
    await withdrawn('something else')
    expect(await outcomes(waits.row, approved.row, proposed)).toEqual(Array(3).fill('withdrawn'))
    for (const { id } of [waits.row, approved.row, proposed])
      expect((await bench.look(id)).result_text).toContain('something else')
    expect((await request(waits.approval)).state).toBe('withdrawn')
    expect((await request(approved.approval)).state).toBe('superseded')
  })

  test('leaves what has ended, what is under way, and other runs alone', async () => {
    const ended = await bench.call(run, { state: 'ended', outcome: 'ok' })
    const begun = await bench.call(run, { state: 'intended' })
    const other = await bench.call(await bench.run())
    await withdrawn()
    expect(await outcomes(ended, begun, other)).toEqual(['ok', null, null])
  })

  test('ends the calls around them, the innermost first, and says what each had asked for', async () => {
    const outer = await bench.call(run, { tool: 'outer', args: '', state: 'waiting' })
    const inner = await bench.call(run, { tool: 'inner', args: '', state: 'waiting', parent_id: outer.id })
    await bench.call(run, { tool: 'done-one', parent_id: inner.id, state: 'ended', outcome: 'ok' })
    await bench.call(run, { tool: 'left-one', parent_id: inner.id })
    const later = await bench.call(run, { state: 'waiting', args: '', turn: 2 })
    await withdrawn()
    expect(await outcomes(outer, inner, later)).toEqual(['withdrawn', 'withdrawn', null])
    const ended = bench.events.filter(({ type }) => type === 'call.ended').slice(-2)
    expect(ended).toMatchObject([{ call: inner.id }, { call: outer.id }])
    const { result_text: told } = await bench.look(inner.id)
    expect(told).toContain('done-one: ok\nleft-one: withdrawn')
  })
})
