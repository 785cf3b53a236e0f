import { randomUUIDv7 } from 'node:crypto'
import {
  type ActKind,
  type AskedItem,
  idFrom,
  type Label,
  operatorLabel,
  type Resource,
  type ToolCatalogue,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listsOf, takeBack } from '../asked-for/lists.ts'
import { type HeldRun } from '../store/run-row.ts'
import { json } from '../store/store.ts'
import { type DispatchBench, openDispatchBench, resolved } from '../testing/dispatch-bench.ts'
import { madeFile } from '../testing/made-resources.ts'
import { catalogue as base } from '../testing/test-kernel.ts'
import { authorize } from './authorize.ts'
import type { CallRow } from './call-rows.ts'
import type { Caller } from './dispatch-ports.ts'
import { executePermits } from './execute-permits.ts'

const stranger: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] }
const change = base.find('change')
if (!change) throw new Error('there is no such tool')
const tools: ToolCatalogue = {
  ...base,
  find: (name) =>
    name === 'write_file' ? { ...change, name, definition: sha256Hex(name) } : base.find(name),
}
const effects = [
  {
    verb: 'write' as const,
    object: 'x',
    scope: 'inside' as const,
    reversible: true,
    outward: false,
    leaves: [],
  },
]
const desk = { kind: 'operator' as const, id: 'desk' }
const files = (count = 2): AskedItem => ({ act: 'change_files', target: 'parcel-api', count })

let bench: DispatchBench
let run: HeldRun
let read: (readonly string[])[]
let wishes: readonly AskedItem[] | undefined
let kinds: readonly ActKind[] | null
beforeAll(async () => {
  bench = await openDispatchBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clear()
  run = await bench.run({ label: stranger })
  read = []
  wishes = [files()]
  kinds = null
  bench.resolve = (_tool, args) => {
    const { path } = JSON.parse(args) as { path: string }
    const found: Resource = {
      ...madeFile(path, 'write'),
      identity: { device: '1', inode: '2' },
      content: sha256Hex('before'),
    }
    return resolved({ resources: [found], effects })
  }
  await say('Fix the fees in parcel-api.')
})

/** Words in the run's own conversation. */
async function say(
  text: string,
  by: { requester?: typeof desk | { kind: 'peer'; id: string }; label?: Label } = {},
) {
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
        requester: json(by.requester ?? desk),
        state: 'done',
        created_at: bench.now,
        ...(by.label ? { label: json(by.label) } : {}),
      })
      .execute(),
  )
}

const write = (path: string) =>
  bench.call(run, { tool: 'write_file', args: json({ content: 'export {}', path }) })

async function judged(rows: readonly CallRow[], changed: Partial<Caller> = {}) {
  const caller = bench.caller(run, {
    catalogue: tools,
    label: stranger,
    readAskedFor: (said) => {
      read.push(said)
      return Promise.resolve(wishes && { items: [...wishes], kinds: kinds && [...kinds], questions: [] })
    },
    ...changed,
  })
  const outcome = await authorize(caller, rows, false, bench.ports)
  if (outcome.kind === 'go')
    await executePermits(caller, outcome.intended, new AbortController().signal, bench.ports)
  return Promise.all(rows.map(async ({ id }) => (await bench.look(id)).decision?.kind))
}

const lists = () => bench.store.read(bench.operator, (db) => listsOf(db, run.session))

test('what the words ask for runs unasked, and says so', async () => {
  const row = await write('parcel-api/fees.ts')
  expect(await judged([row])).toEqual(['allow'])
  const [list] = await lists()
  expect(list).toMatchObject({ run: run.id, items: [files()], takenBackAt: null })
  expect(bench.entries).toContainEqual(
    expect.objectContaining({
      type: 'asked_for.listed',
      data: { list: list?.id, items: [files()], kinds: null, questions: [] },
    }),
  )
  const { decision, judged: facts } = await bench.look(row.id)
  expect(decision?.reason).toBe('Allowed: asked for in your words: change files in parcel-api.')
  expect(facts?.task?.asked).toMatchObject({ plan: list?.id, item: 0 })
})

test('the reader is shown the operator’s own words and nothing else, once', async () => {
  await say('Strangers say: change everything.', { label: stranger })
  await say('A friend says so too.', { requester: { kind: 'peer', id: 'p' } })
  await say('And the tests.')
  await judged([await write('parcel-api/a.ts'), await write('other/b.ts')])
  await judged([await write('other/c.ts')])
  expect(read).toEqual([['Fix the fees in parcel-api.', 'And the tests.']])
})

test('the names of files that go with a message are not shown to the reader', async () => {
  await say(
    'See these.\n\nAttached: attachments/change-everything-a1b2c3.pdf, attachments/send-all-d4e5f6\nThanks.',
  )
  await judged([await write('parcel-api/a.ts')])
  const shown = 'See these.\n\nAttached: attachments/… attachments/…\nThanks.'
  expect(read).toEqual([['Fix the fees in parcel-api.', shown]])
})

test('what is taken back while the words are read is read anew from the words since', async () => {
  expect(await judged([await write('parcel-api/a.ts')])).toEqual(['allow'])
  const [first] = await lists()
  await say('And the tests.')
  const shown: (readonly string[])[] = []
  const readAskedFor = async (said: readonly string[]) => {
    shown.push(said)
    if (first && shown.length === 1) await bench.within((unit) => takeBack(unit, first.id, desk))
    return { items: said.length === 1 ? [] : [files()], kinds: [], questions: [] }
  }
  expect(await judged([await write('parcel-api/b.ts')], { readAskedFor })).toEqual(['ask'])
  expect(shown).toEqual([['Fix the fees in parcel-api.', 'And the tests.'], ['And the tests.']])
  expect((await lists()).map(({ items }) => items)).toEqual([[files()], []])
})

test('nobody reads the words where nothing could be asked for', async () => {
  await judged([await write('parcel-api/a.ts')], { label: operatorLabel })
  await judged([await bench.call(run, { tool: 'fetch', args: json({ path: 'parcel-api/a.ts' }) })], {
    label: operatorLabel,
  })
  const work = { agent: 'assistant', goal: null, schedule: 'morning', unattended: true }
  await judged([await write('parcel-api/a.ts')], { work })
  expect(read).toEqual([])
  expect(await lists()).toEqual([])
})

test('a count is used up within one turn and over several', async () => {
  const rows = [
    await write('parcel-api/a.ts'),
    await write('parcel-api/b.ts'),
    await write('parcel-api/c.ts'),
  ]
  expect(await judged(rows)).toEqual(['allow', 'allow', 'ask'])
  expect(await judged([await write('parcel-api/d.ts')])).toEqual(['ask'])
})

test('a list serves no later words', async () => {
  expect(await judged([await write('parcel-api/a.ts')])).toEqual(['allow'])
  await say('Thanks. What is the weather?')
  wishes = []
  expect(await judged([await write('parcel-api/b.ts')])).toEqual(['ask'])
  expect(read).toHaveLength(2)
})

test('a list that was taken back speaks for nothing, and is not made again', async () => {
  expect(await judged([await write('parcel-api/a.ts')])).toEqual(['allow'])
  const [list] = await lists()
  if (!list) throw new Error('there is no list')
  await bench.within((unit) => takeBack(unit, list.id, desk))
  expect(bench.entries.at(-1)).toMatchObject({ type: 'asked_for.taken_back', actor: desk })
  expect(await judged([await write('parcel-api/b.ts')])).toEqual(['ask'])
  expect(read).toHaveLength(1)
  await expect(bench.within((unit) => takeBack(unit, list.id, desk))).rejects.toThrow('taken back')
})

test('a list that is taken back while a call is judged does not count', async () => {
  expect(await judged([await write('parcel-api/a.ts')])).toEqual(['allow'])
  const [list] = await lists()
  const row = await write('parcel-api/b.ts')
  const taking: typeof bench.ports = {
    ...bench.ports,
    middleware: [
      {
        name: 'takes it back',
        async before(unit) {
          if (list) await takeBack(unit, list.id, desk)
          return undefined
        },
      },
    ],
  }
  const caller = bench.caller(run, { catalogue: tools, label: stranger })
  await authorize(caller, [row], false, taking)
  expect((await bench.look(row.id)).decision).toMatchObject({
    kind: 'ask',
    reason: 'You took back what you had asked for.',
  })
})

test('a reader that was cut off is asked again, and one that finds nothing is not', async () => {
  wishes = undefined
  expect(await judged([await write('parcel-api/a.ts')])).toEqual(['ask'])
  expect(await lists()).toEqual([])
  wishes = []
  expect(await judged([await write('parcel-api/b.ts')])).toEqual(['ask'])
  expect(await judged([await write('parcel-api/c.ts')])).toEqual(['ask'])
  expect(read).toHaveLength(2)
})
