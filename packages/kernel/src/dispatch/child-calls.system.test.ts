import { randomUUIDv7 } from 'node:crypto'
import { canonicalText, type ToolCatalogue, type ToolFacts } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HeldRun } from '../store/run-row.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { catalogue as base, madeOf } from '../testing/test-kernel.ts'
import { type CallRow, callsOfTurn } from './call-rows.ts'
import { completedParents, continueParent, interruptedText, proposeChildCalls } from './child-calls.ts'

let bench: DispatchBench
let run: HeldRun
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  run = await bench.run({ tool_calls: 5 })
})

const rowsNow = () => bench.store.read(bench.operator, (db) => callsOfTurn(db, run.id, 1))
const madeInRun = () =>
  bench.store.read(bench.operator, async (db) => {
    const row = await db
      .selectFrom('runs')
      .select('tool_calls')
      .where('id', '=', run.id)
      .executeTakeFirstOrThrow()
    return row.tool_calls
  })

describe('a tool that asks for calls', () => {
  const limits = { callsPerTurn: 3, callsInTurn: 4, toolCalls: 100 }
  const ask = (row: CallRow, tools: readonly string[], change: Partial<typeof limits> = {}) =>
    bench.within((unit) =>
      proposeChildCalls(
        unit,
        run,
        row,
        tools.map((tool) => ({ tool, args: '{"a":1}' })),
        { uuid: randomUUIDv7, catalogue: base, limits: { ...limits, ...change } },
      ),
    )

  test('waits for them; they follow the turn’s calls, know it, and count in the run', async () => {
    const row = await bench.call(run, { tool: 'program', state: 'intended', model_id: 'model' })
    const last = await bench.call(run, { state: 'ended', outcome: 'ok' })
    const asked = await ask(row, ['look', 'made'])
    expect(asked).toEqual({ labels: [madeOf] })
    expect((await bench.look(row.id)).state).toBe('waiting')
    const children = (await rowsNow()).filter(({ parent_id }) => parent_id === row.id)
    expect(children).toMatchObject([
      { tool: 'look', state: 'proposed', model_id: 'model', position: last.position + 1 },
      { tool: 'program', model_tool: 'made', state: 'proposed', position: last.position + 2 },
    ])
    expect(await madeInRun()).toBe(7)
  })

  test('brings in nothing for tools that nobody made', async () => {
    const row = await bench.call(run, { tool: 'program', state: 'intended' })
    expect(await ask(row, ['look'])).toEqual({ labels: [] })
  })

  test('is told why when they are too many for the turn or the run, and nothing is written', async () => {
    const row = await bench.call(run, { tool: 'program', state: 'intended' })
    await bench.call(run, { state: 'ended', outcome: 'ok' })
    expect(await ask(row, ['look', 'look', 'look'])).toHaveProperty('reason')
    expect(await ask(row, ['look'], { toolCalls: 5 })).toHaveProperty('reason')
    expect(await rowsNow()).toHaveLength(2)
    expect((await bench.look(row.id)).state).toBe('intended')
    expect(await madeInRun()).toBe(5)
    expect(await ask(row, ['look', 'look'])).toHaveProperty('labels')
  })

  test('is told why below the third level', async () => {
    const line: CallRow[] = []
    for (let level = 0; level <= 3; level += 1)
      line.push(await bench.call(run, { state: 'intended', parent_id: line.at(-1)?.id ?? null }))
    const answers = []
    for (const row of line) answers.push(Object.keys(await ask(row, ['look'], { callsInTurn: 99 })))
    expect(answers.flat()).toEqual(['labels', 'labels', 'labels', 'reason'])
  })
})

describe('a call goes on', () => {
  const row = (id: string, state: CallRow['state'], parent: string | null = null) =>
    ({ id, state, parent_id: parent, reader: null }) as CallRow

  test('when it waits and all that it asked for has ended', () => {
    const rows = [
      row('a', 'waiting'),
      row('b', 'ended', 'a'),
      row('c', 'waiting', 'a'),
      row('d', 'ended', 'c'),
      row('e', 'waiting'),
      row('f', 'ended', 'e'),
      row('g', 'proposed', 'e'),
      row('h', 'ended'),
      row('i', 'waiting'),
    ]
    expect(completedParents(rows).map(({ id }) => id)).toEqual(['c', 'i'])
  })
})

describe('a batch', () => {
  const ends = async (...outcomes: CallRow['outcome'][]) => {
    const batch = await bench.call(run, { tool: 'batch', args: '', state: 'waiting' })
    for (const [index, outcome] of outcomes.entries())
      await bench.call(run, {
        tool: `t${index}`,
        parent_id: batch.id,
        state: 'ended',
        outcome,
        result_text: `r${index}`,
      })
    await bench.call(run, { tool: 'other', state: 'ended', outcome: 'ok', result_text: 'other' })
    const rows = await rowsNow()
    const ended = await bench.within((unit) => continueParent(unit, batch, rows, base))
    return { ended, now: await bench.look(batch.id) }
  }

  test('ends well when one of its calls did, with the results of its own calls in order', async () => {
    const { ended, now } = await ends('failed', 'ok')
    expect(ended).toMatchObject({ state: 'ended', outcome: 'ok', startedAt: null, undo: null, label: null })
    expect(now).toMatchObject({ state: 'ended', outcome: 'ok' })
    expect(now.result_text).toBe('[1] t0: failed\nr0\n\n[2] t1: ok\nr1')
    expect(now.summary).toContain('1 of 2')
  })

  test('has failed when none did', async () => {
    expect((await ends('failed', 'denied')).now).toMatchObject({ state: 'ended', outcome: 'failed' })
  })
})

describe('a program', () => {
  const picky: ToolFacts = {
    ...(base.find('program') as ToolFacts),
    name: 'picky',
    parse: () => ({ kind: 'invalid', problems: ['no'] }),
  }
  const catalogue: ToolCatalogue = {
    ...base,
    find: (name) => (name === 'picky' ? picky : base.find(name)),
  }
  const goesOn = async (change: Partial<CallRow>, children: Partial<CallRow>[]) => {
    const program = await bench.call(run, {
      tool: 'program',
      state: 'waiting',
      nonce: 'n',
      permit: {} as never,
      approval_id: 'apr_1' as never,
      intended_at: bench.now,
      ...change,
    })
    for (const child of children)
      await bench.call(run, { state: 'ended', outcome: 'ok', parent_id: program.id, ...child })
    const rows = await rowsNow()
    const ended = await bench.within((unit) => continueParent(unit, program, rows, catalogue))
    return { program, ended, now: await bench.look(program.id) }
  }
  const journalOf = ({ args }: CallRow) => (JSON.parse(args) as { journal: unknown[] }).journal

  test('is proposed again as another attempt, with each answer bound to its question', async () => {
    const { program, ended, now } = await goesOn({ args: '{"a":1}' }, [
      { model_tool: 'look', raw_args: '{"x":1}', result_text: 'seen' },
      { model_tool: 'send', raw_args: '{}', outcome: 'denied', result_text: 'no' },
    ])
    expect(ended).toBe(undefined)
    expect(now).toMatchObject({
      state: 'proposed',
      attempt: program.attempt + 1,
      nonce: null,
      permit: null,
      approval_id: null,
      intended_at: null,
      outcome: null,
    })
    expect(now.args).toBe(
      canonicalText({
        a: 1,
        journal: [
          { call: sha256Hex('look\n{"x":1}'), ok: true, text: 'seen' },
          { call: sha256Hex('send\n{}'), ok: false, text: 'no' },
        ],
      }),
    )
  })

  test('gets only the answers that its journal does not hold yet', async () => {
    const known = { call: 'c', ok: true, text: 'first' }
    const { now } = await goesOn({ args: canonicalText({ journal: [known] }) }, [
      { result_text: 'first' },
      { result_text: 'second' },
    ])
    expect(journalOf(now)).toMatchObject([known, { text: 'second' }])
    const { now: other } = await goesOn({ args: '{"journal":"none"}' }, [{ result_text: 'only' }])
    expect(journalOf(other)).toMatchObject([{ text: 'only' }])
  })

  test('is told no more of an answer than fits, and no half of a character', async () => {
    const { now } = await goesOn({}, [
      { result_text: 'x'.repeat(40_000) },
      { result_text: `${'x'.repeat(31_999)}😀` },
    ])
    const [long, cut] = journalOf(now) as { text: string }[]
    expect(long?.text).toHaveLength(32_000)
    expect(cut?.text.isWellFormed()).toBe(true)
  })

  test.each<[string, Partial<CallRow>]>([
    ['its tool is gone', { args: '{"name":"gone"}' }],
    ['its arguments no longer fit', { tool: 'picky' }],
  ])('has failed when %s', async (_title, change) => {
    const { ended, now } = await goesOn(change, [{}])
    expect(ended).toMatchObject({ outcome: 'failed' })
    expect(now).toMatchObject({ state: 'ended', outcome: 'failed', args: change.args ?? '{}' })
    expect(now.result_text).not.toBe('')
  })

  test('goes on while the tool that it belongs to is there', async () => {
    expect((await goesOn({ args: '{"name":"made"}' }, [{}])).now.state).toBe('proposed')
    expect((await goesOn({ args: '{"name":7}' }, [{}])).now.state).toBe('proposed')
  })
})

test('a call that is interrupted says which of its own calls were made', () => {
  const row = (id: string, parent: string | null, tool: string, outcome: CallRow['outcome']) =>
    ({ id, parent_id: parent, model_tool: tool, outcome }) as CallRow
  const parent = row('a', null, 'batch', null)
  const rows = [parent, row('b', 'a', 'one', 'ok'), row('c', 'a', 'two', null), row('d', 'x', 'three', 'ok')]
  const told = interruptedText(parent, rows, 'stop it').split('\n')
  expect(told[0]).toContain('stop it')
  expect(told.slice(2)).toEqual(['one: ok', 'two: not made'])
})
