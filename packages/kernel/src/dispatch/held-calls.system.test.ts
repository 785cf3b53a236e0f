import { randomUUIDv7 } from 'node:crypto'
import {
  type ActKind,
  type AskedList,
  heldText,
  idFrom,
  type Label,
  mostUnaskedKept,
} from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listsOf, takeBack } from '../asked-for/lists.ts'
import { dismissUnasked, openUnasked } from '../asked-for/unasked.ts'
import { sessionsIn } from '../sessions/sessions.ts'
import type { HeldRun } from '../store/run-row.ts'
import { json } from '../store/store.ts'
import { type DispatchBench, openDispatchBench } from '../testing/dispatch-bench.ts'
import { authorize } from './authorize.ts'
import type { CallRow } from './call-rows.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'

const stranger: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] }
const desk = { kind: 'operator' as const, id: 'desk' }

let bench: DispatchBench
let run: HeldRun
let read: AskedList | undefined
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  for (const { id } of await rows()) await bench.within((unit) => dismissUnasked(unit, id, desk))
  bench.clear()
  run = await bench.run({ label: stranger })
  read = { items: [], kinds: [], questions: [] }
  await say()
})

async function say() {
  await bench.within(({ db }) =>
    db
      .insertInto('inputs')
      .values({
        operator_id: bench.operator,
        id: idFrom('inp', randomUUIDv7()),
        session_id: run.session,
        run_id: run.id,
        key: randomUUIDv7(),
        mode: 'auto',
        text: 'Sum up the page.',
        requester: json(desk),
        state: 'done',
        created_at: bench.now,
      })
      .execute(),
  )
}

const rows = () => bench.store.read(bench.operator, openUnasked)
const send = (words = 'x') => bench.call(run, { tool: 'send', args: json({ words }), headline: words })

async function judged(
  calls: readonly CallRow[],
  change: Partial<Caller> = {},
  ports: DispatchPorts = bench.ports,
) {
  const caller = bench.caller(run, { label: stranger, readAskedFor: () => Promise.resolve(read), ...change })
  await authorize(caller, calls, true, ports)
  return Promise.all(
    calls.map(async ({ id }) => {
      const { state, outcome } = await bench.look(id)
      return outcome ?? state
    }),
  )
}

test('what nobody asked for ends at once, asks nobody and does not park the run', async () => {
  const row = await send()
  expect(await judged([row])).toEqual(['held'])
  expect(await bench.look(row.id)).toMatchObject({
    state: 'ended',
    result_text: heldText,
    approval_id: null,
    permit: null,
    decision: { kind: 'ask' },
  })
  expect(bench.parked).toEqual([])
  expect(bench.entries.map(({ type }) => type)).toEqual(['asked_for.listed', 'call.held'])
  expect(bench.events).toEqual([expect.objectContaining({ type: 'call.ended', outcome: 'held' })])
  expect(await rows()).toEqual([
    expect.objectContaining({
      session: run.session,
      count: 1,
      calls: [expect.objectContaining({ call: row.id, run: run.id, tool: 'send', tier: 3 })],
    }),
  ])
})

test('a flood is one row, with a count, and not all of it is kept', async () => {
  const calls = await Promise.all(Array.from({ length: 50 }, (_, at) => send(`words ${at}`)))
  expect(new Set(await judged(calls.slice(0, 30)))).toEqual(new Set(['held']))
  expect(new Set(await judged(calls.slice(30)))).toEqual(new Set(['held']))
  const [row, ...others] = await rows()
  expect(others).toEqual([])
  expect(row?.count).toBe(50)
  expect(row?.calls).toHaveLength(mostUnaskedKept)
})

test.each<[string, AskedList | undefined]>([
  ['was asked for', { items: [], kinds: ['send'], questions: [] }],
  ['nobody could read the words for', { items: [], kinds: null, questions: [] }],
  ['the words were not read for in time', undefined],
])('what %s asks', async (_what, wishes) => {
  read = wishes
  expect(await judged([await send()])).toEqual(['asked'])
  expect(await rows()).toEqual([])
})

test('what the operator wrote or lets be asked themselves asks', async () => {
  expect(await judged([await send()])).toEqual(['held'])
  const edited = await bench.call(run, {
    tool: 'send',
    edited_from: (await send()).approval_id ?? idFrom('apr', randomUUIDv7()),
  })
  expect(await judged([edited])).toEqual(['asked'])
  expect(await judged([await send()], { mustAsk: true })).toEqual(['asked'])
})

test('what would run unasked asks where the operator let it be asked', async () => {
  const look = await bench.call(run, { tool: 'look' })
  expect(await judged([look], { mustAsk: true })).toEqual(['asked'])
})

test('what runs unasked still runs, and what policy refuses stays refused', async () => {
  expect(await judged([await bench.call(run, { tool: 'look' })])).toEqual(['intended'])
  bench.resolve = () => undefined
  expect(await judged([await send()])).toEqual(['invalid'])
  expect(await rows()).toEqual([])
})

test('a reading that was taken back holds nothing, also while a call is judged', async () => {
  expect(await judged([await send()])).toEqual(['held'])
  const [list] = await bench.store.read(bench.operator, (db) => listsOf(db, run.session))
  if (!list) throw new Error('there is no list')
  expect(list.kinds).toEqual([] satisfies ActKind[])
  const taking: DispatchPorts = {
    ...bench.ports,
    middleware: [
      {
        name: 'takes it back',
        async before(unit) {
          await takeBack(unit, list.id, desk)
          return undefined
        },
      },
    ],
  }
  expect(await judged([await send()], {}, taking)).toEqual(['asked'])
  expect(await judged([await send()])).toEqual(['asked'])
})

test('work that nobody watches, other requesters and a clean run ask', async () => {
  const work = { agent: 'assistant', goal: null, schedule: 'morning', unattended: true }
  expect(await judged([await send()], { work })).toEqual(['asked'])
  expect(await judged([await send()], { label: { ...stranger, integrity: 'tool' } })).toEqual(['asked'])
})

test('a row that was put away is gone, and the next one is another', async () => {
  await judged([await send()])
  const [row] = await rows()
  if (!row) throw new Error('there is no row')
  await bench.within((unit) => dismissUnasked(unit, row.id, desk))
  expect(bench.entries.at(-1)).toMatchObject({ type: 'unasked.dismissed', data: { row: row.id, count: 1 } })
  expect(await rows()).toEqual([])
  await expect(bench.within((unit) => dismissUnasked(unit, row.id, desk))).rejects.toThrow('still waits')
  await judged([await send()])
  expect((await rows()).map(({ id, count }) => [id === row.id, count])).toEqual([[false, 1]])
})

test('a row goes with its conversation', async () => {
  await judged([await send()])
  await bench.within((unit) => sessionsIn(unit).mark(run.session, { removed: true }))
  expect(await rows()).toEqual([])
  const kept = await bench.store.read(bench.operator, (db) =>
    db.selectFrom('unasked').select('id').where('session_id', '=', run.session).execute(),
  )
  expect(kept).toEqual([])
})
