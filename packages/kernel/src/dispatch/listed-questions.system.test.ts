import { randomUUIDv7 } from 'node:crypto'
import {
  type Decision,
  idFrom,
  type Label,
  questionsText,
  questionsToldSummary,
  type ToolCatalogue,
  type ToolFacts,
} from '@countersign/contract'
import { mostQuestions } from '@countersign/policy'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listsOf, takeBack } from '../asked-for/lists.ts'
import type { HeldRun } from '../store/run-row.ts'
import { json } from '../store/store.ts'
import { type DispatchBench, openDispatchBench, resolved } from '../testing/dispatch-bench.ts'
import { catalogue as base, resolutionOf } from '../testing/test-kernel.ts'
import { authorize } from './authorize.ts'
import type { CallRow } from './call-rows.ts'
import type { Caller, DispatchPorts } from './dispatch-ports.ts'

const knowing: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['mail'] }
const desk = { kind: 'operator' as const, id: 'desk' }
const readWeb: ToolFacts = { ...(base.find('fetch') as ToolFacts), name: 'read_web', floor: 2 }
const tools: ToolCatalogue = {
  ...base,
  find: (name) => (name === 'read_web' ? readWeb : base.find(name)),
}
const yard = 'When is the recycling yard in Uppsala open?'
const paint = 'Does the recycling yard in Uppsala take paint?'

let bench: DispatchBench
let run: HeldRun
let read: number
let questions: string[]
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  bench.resolve = () => resolved({ ...resolutionOf('fetch'), resources: [] })
  run = await bench.run({ label: knowing })
  read = 0
  questions = [yard, paint]
  await say('Can I bring the paint to the tip in Uppsala on Saturday?')
})

async function say(text: string) {
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
        text,
        requester: json(desk),
        state: 'done',
        created_at: bench.now,
      })
      .execute(),
  )
}

const ask = (question: string, turn = 1, change: Partial<CallRow> = {}) =>
  bench.call(run, { tool: 'read_web', args: json({ question }), turn, ...change })

/** What becomes of each: how it ended, or where it stands. */
async function judged(
  rows: readonly CallRow[],
  change: Partial<Caller> = {},
  ports: DispatchPorts = bench.ports,
) {
  const caller = bench.caller(run, {
    catalogue: tools,
    label: knowing,
    readAskedFor: () => {
      read += 1
      return Promise.resolve({ items: [], kinds: [], questions })
    },
    ...change,
  })
  await authorize(caller, rows, false, ports)
  return Promise.all(
    rows.map(async ({ id }) => {
      const { state, outcome } = await bench.look(id)
      return outcome ?? state
    }),
  )
}

const lists = () => bench.store.read(bench.operator, (db) => listsOf(db, run.session))

async function theList() {
  const [list] = await lists()
  if (!list) throw new Error('there is no list')
  return list
}

test('a question of the list is asked without the operator, and says so', async () => {
  const row = await ask(yard)
  expect(await judged([row])).toEqual(['intended'])
  const list = await theList()
  expect(list.questions).toEqual([yard, paint])
  const { decision, judged: facts } = await bench.look(row.id)
  expect(decision?.reason).toBe(
    'Allowed: asking the web what your words alone ask for, and nothing else leaves.',
  )
  expect(facts?.task).toMatchObject({ question: true, listed: list.id })
  expect(read).toBe(1)
})

test('another question is told those that are free, and asks when it is asked again', async () => {
  const row = await ask('What does Vera owe?')
  expect(await judged([row])).toEqual(['denied'])
  expect(await bench.look(row.id)).toMatchObject({
    state: 'ended',
    result_text: questionsText([yard, paint]),
    summary: questionsToldSummary,
    approval_id: null,
    permit: null,
    decision: { kind: 'ask' },
  })
  expect(bench.parked).toEqual([])
  expect(bench.entries.map(({ type }) => type)).toEqual(['asked_for.listed', 'call.questions_told'])
  expect(bench.events).toEqual([
    expect.objectContaining({ type: 'call.ended', outcome: 'denied', summary: questionsToldSummary }),
  ])
  expect(await judged([await ask('What does Vera owe?', 2)])).toEqual(['asked'])
  expect(await judged([await ask('What else does Vera owe?', 3)])).toEqual(['asked'])
  expect(await judged([await ask(yard, 4)])).toEqual(['intended'])
  expect(read).toBe(1)
})

test('all of one turn are told, since their model knew of none', async () => {
  const rows = [await ask('What does Vera owe?'), await ask('Who is Vera?'), await ask(yard)]
  expect(await judged(rows)).toEqual(['denied', 'denied', 'intended'])
})

test('those that were asked are told no more, and once all were, nothing is told', async () => {
  expect(await judged([await ask(yard)])).toEqual(['intended'])
  const row = await ask('What does Vera owe?', 2)
  expect(await judged([row])).toEqual(['denied'])
  expect((await bench.look(row.id)).result_text).toBe(questionsText([paint]))
  await say('And the glass?')
  questions = [yard]
  expect(await judged([await ask(yard, 3)])).toEqual(['intended'])
  expect(await judged([await ask('What does Vera owe?', 4)])).toEqual(['asked'])
})

test('what the operator wrote, lets be asked, or a program asks for is not told but asked', async () => {
  await judged([await ask(yard)])
  const edited = await ask('What does Vera owe?', 2, { edited_from: idFrom('apr', randomUUIDv7()) })
  expect(await judged([edited])).toEqual(['asked'])
  expect(await judged([await ask('What does Vera owe?', 2)], { mustAsk: true })).toEqual(['asked'])
  const { id } = await ask(yard, 2)
  expect(await judged([await ask('What does Vera owe?', 2, { parent_id: id })])).toEqual(['asked'])
})

test('what was decided before is asked about and not told, so that no answer is lost', async () => {
  const row = await ask('What does Vera owe?')
  const decision: Decision = { kind: 'ask', tier: 2, reason: 'It asks.', rules: [], raised: [] }
  await bench.within(({ db }) =>
    db
      .updateTable('calls')
      .set({ decision: json(decision) })
      .where('id', '=', row.id)
      .execute(),
  )
  expect(await judged([await bench.look(row.id)])).toEqual(['asked'])
  expect((await theList()).questions).toEqual([yard, paint])
  expect(await judged([await ask('Who is Vera?', 2)])).toEqual(['denied'])
})

test('a list serves no later words', async () => {
  expect(await judged([await ask(yard)])).toEqual(['intended'])
  await say('Thanks. Read my mail.')
  questions = []
  expect(await judged([await ask(yard, 2)])).toEqual(['asked'])
  expect(read).toBe(2)
})

test('a reading that was taken back frees and tells nothing, also while a call is judged', async () => {
  expect(await judged([await ask(yard)])).toEqual(['intended'])
  const { id } = await theList()
  const taking: DispatchPorts = {
    ...bench.ports,
    middleware: [
      {
        name: 'takes it back',
        async before(unit) {
          await takeBack(unit, id, desk)
          return undefined
        },
      },
    ],
  }
  const row = await ask(paint, 2)
  expect(await judged([row], {}, taking)).toEqual(['asked'])
  expect((await bench.look(row.id)).decision?.reason).toBe('You took back what you had asked for.')
  expect(await judged([await ask(paint, 3)])).toEqual(['asked'])
  expect(await judged([await ask('What does Vera owe?', 4)])).toEqual(['asked'])
  expect(read).toBe(1)
})

test('after ten of them nothing is free and nothing is told', async () => {
  const rows = await Promise.all(Array.from({ length: mostQuestions + 1 }, () => ask(yard)))
  const outcomes = await judged(rows)
  expect(outcomes.filter((each) => each === 'intended')).toHaveLength(mostQuestions)
  expect(outcomes.filter((each) => each === 'asked')).toHaveLength(1)
  expect(await judged([await ask('What does Vera owe?', 2)])).toEqual(['asked'])
})

test('what is no line of plain text, or has an address that nobody said, is not kept', async () => {
  questions = ['What is at https://evil.example/4711 ?', 'When?\u200b', yard]
  expect(await judged([await ask('What does Vera owe?')])).toEqual(['denied'])
  expect((await theList()).questions).toEqual([yard])
})

test('nobody reads the words where a list could free nothing', async () => {
  const work = { agent: 'assistant', goal: null, schedule: 'morning', unattended: true }
  expect(await judged([await ask(yard)], { work })).toEqual(['asked'])
  expect(await judged([await ask(yard)], { label: { ...knowing, confidentiality: 'secret' } })).toEqual([
    'asked',
  ])
  expect(read).toBe(0)
})
