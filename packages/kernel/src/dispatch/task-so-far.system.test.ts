import { randomUUIDv7 } from 'node:crypto'
import {
  idFrom,
  type Label,
  operatorLabel,
  type Permit,
  type Requester,
  type Resource,
  type ToolCatalogue,
  type ToolFacts,
  type UrlResource,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HeldRun } from '../store/run-row.ts'
import { json } from '../store/store.ts'
import { type DispatchBench, done, openDispatchBench, resolved } from '../testing/dispatch-bench.ts'
import { madeFile, madePage } from '../testing/made-resources.ts'
import { catalogue as base } from '../testing/test-kernel.ts'
import { authorize } from './authorize.ts'
import type { CallRow } from './call-rows.ts'
import type { Caller } from './dispatch-ports.ts'
import { executePermits } from './execute-permits.ts'
import { taskSoFar } from './task-so-far.ts'

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

const [first, second] = [sha256Hex('first'), sha256Hex('second')]
const soFar = (of = run) =>
  bench.store.read(bench.operator, (db) =>
    taskSoFar(db, { session: of.session, run: of.id, inReader: false }),
  )
const found = (path: string, content: string): Resource => ({
  ...madeFile(path, 'write'),
  identity: { device: '1', inode: '2' },
  content,
})

interface PastWrite {
  readonly resource: Resource
  readonly left?: string | null
  readonly change?: Partial<CallRow>
  readonly of?: HeldRun
}

/** A call that ended, as the rows tell it. */
async function ended({ resource, left = first, change = {}, of = run }: PastWrite): Promise<void> {
  bench.now = new Date(bench.now.getTime() + 1_000)
  await bench.call(of, {
    tool: 'write_file',
    state: 'ended',
    outcome: 'ok',
    intended_at: bench.now,
    permit: { subject: { resources: [resource] } } as Permit,
    undo: left === null ? null : { tool: 'restore_file', args: json({ path: 'x', expected: left }) },
    ...change,
  })
}

/** Another run of the same session, with what was said to begin it. */
async function laterRun(
  words: string,
  by: Partial<{ requester: Requester; label: Label }> = {},
): Promise<HeldRun> {
  const next = await bench.run()
  await bench.within(async ({ db }) => {
    await db.updateTable('runs').set({ session_id: run.session }).where('id', '=', next.id).execute()
    await db
      .insertInto('inputs')
      .values({
        operator_id: bench.operator,
        id: idFrom('inp', randomUUIDv7()),
        session_id: run.session,
        run_id: next.id,
        key: randomUUIDv7(),
        mode: 'auto',
        text: words,
        requester: json(by.requester ?? { kind: 'operator', id: 'desk' }),
        state: 'done',
        created_at: bench.now,
        ...(by.label ? { label: json(by.label) } : {}),
      })
      .execute()
    await db
      .insertInto('messages')
      .values({
        operator_id: bench.operator,
        session_id: run.session,
        run_id: next.id,
        turn: 0,
        role: 'user',
        text: words,
        label: json(operatorLabel),
        at: bench.now,
      })
      .execute()
  })
  return { ...next, session: run.session }
}

test('places are chosen by calls that nothing untrusted led to', async () => {
  const judgedWith = (integrity: Label['integrity']) => ({
    judged: { label: { ...operatorLabel, integrity } } as never,
  })
  await ended({ resource: madeFile('shop/a.ts', 'read'), change: judgedWith('operator') })
  await ended({ resource: madeFile('lab', 'list'), change: judgedWith('tool') })
  await ended({ resource: madeFile('site/b.ts', 'read'), change: judgedWith('untrusted') })
  await ended({ resource: madeFile('notes/c.md', 'read') })
  await ended({ resource: madeFile('made/d.md', 'write'), change: judgedWith('tool') })
  expect([...(await soFar()).chosen]).toEqual(['shop/a.ts', 'lab'])
})

describe('the documents that a task made', () => {
  test('are those that its calls found absent, with what the last write left', async () => {
    await ended({ resource: madeFile('a.md', 'write') })
    await ended({ resource: madeFile('b.md', 'write') })
    await ended({ resource: found('b.md', first), left: second })
    expect([...(await soFar()).made]).toEqual([
      ['a.md', first],
      ['b.md', second],
    ])
  })

  test('are none that were there, failed, were only asked about, cannot be told, or are gone', async () => {
    await ended({ resource: found('was-there.md', first), left: second })
    await ended({ resource: madeFile('failed.md', 'write'), change: { outcome: 'failed' } })
    await ended({ resource: madeFile('asked.md', 'write'), change: { permit: null } })
    await ended({ resource: madeFile('untold.md', 'write'), left: null })
    await ended({ resource: madeFile('gone.md', 'write') })
    await ended({ resource: madeFile('gone.md', 'delete'), left: null })
    await ended({ resource: madeFile('untold-again.md', 'write') })
    await ended({ resource: found('untold-again.md', first), left: null })
    await ended({ resource: madeFile('/host.md', 'write') })
    expect([...(await soFar()).made]).toEqual([])
  })

  test('are not those of another task, before a silence or in another session', async () => {
    const earlier = await laterRun('before')
    const other = await bench.run()
    await ended({ resource: madeFile('earlier.md', 'write'), of: earlier })
    await ended({ resource: madeFile('other.md', 'write'), of: other })
    const now = await laterRun('now')
    expect([...(await soFar(now)).made.keys()]).toEqual(['earlier.md'])
    await bench.within(({ db }) =>
      db
        .updateTable('sessions')
        .set((set) => ({
          window_from: set
            .selectFrom('messages')
            .select('position')
            .where('run_id', '=', now.id)
            .$castTo<number>(),
        }))
        .where('id', '=', run.session)
        .execute(),
    )
    expect(await soFar(now)).toMatchObject({ said: ['now'], made: new Map() })
  })
})

test('what was said is what the operator said in the task', async () => {
  await laterRun('one')
  await laterRun('from a peer', { requester: { kind: 'peer', id: 'ana' } })
  await laterRun('from a page', { label: { ...operatorLabel, integrity: 'untrusted' } })
  const now = await laterRun('two')
  expect(await soFar(now)).toMatchObject({ said: ['one', 'two'], saidNow: ['two'] })
})

describe('a document that strangers led to', () => {
  const stranger: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['web'] }
  const writer: ToolFacts = {
    ...(base.find('look') as ToolFacts),
    name: 'write_file',
    effect: 'idempotent',
    floor: 1,
  }
  const catalogue: ToolCatalogue = {
    ...base,
    find: (name) => (name === writer.name ? writer : base.find(name)),
  }
  const effect = { verb: 'write' as const, object: 'it', scope: 'inside' as const, reversible: true }
  const effects = [{ ...effect, outward: false, leaves: [] }]

  beforeEach(async () => {
    run = await bench.run({ label: stranger })
    bench.resolve = (_tool, args) => {
      const { path } = JSON.parse(args) as { path: string }
      return resolved({ resources: [madeFile(path, 'write')], effects })
    }
    bench.answer = (permit) => {
      const reply = done(permit)
      if (reply.kind !== 'done') return reply
      const undo = { tool: 'restore_file', args: json({ path: 'x', expected: first, content: null }) }
      return { ...reply, result: { ...reply.result, undo } }
    }
  })

  const write = (path: string) =>
    bench.call(run, { tool: 'write_file', args: json({ content: 'Words.', path }) })
  const callerNow = (change: Partial<Caller> = {}) =>
    bench.caller(run, { catalogue, label: stranger, ...change })
  const judged = async (rows: readonly CallRow[], change: Partial<Caller> = {}) => {
    const caller = callerNow(change)
    const outcome = await authorize(caller, rows, false, bench.ports)
    if (outcome.kind === 'go')
      await executePermits(caller, outcome.intended, new AbortController().signal, bench.ports)
    return Promise.all(rows.map(async ({ id }) => (await bench.look(id)).decision?.kind))
  }

  test('runs while it is new, with the absence in its permit and the label on its file', async () => {
    const row = await write('notes/new.md')
    expect(await judged([row])).toEqual(['allow'])
    const now = await bench.look(row.id)
    expect(now.permit?.subject.resources).toMatchObject([
      { path: 'notes/new.md', identity: 'absent', content: null },
    ])
    expect(now.judged?.task).toEqual({
      fresh: true,
      named: false,
      look: false,
      question: false,
      listed: null,
      reader: false,
      asked: null,
      unasked: null,
    })
    const marks = await bench.store.read(bench.operator, (db) =>
      db.selectFrom('file_labels').select(['path', 'label']).where('path', '=', 'notes/new.md').execute(),
    )
    expect(marks).toMatchObject([{ label: { integrity: 'untrusted' } }])
  })

  test('asks from the twenty-first of a task on, in one turn and over several', async () => {
    const rows: CallRow[] = []
    for (let at = 0; at < 25; at += 1) rows.push(await write(`notes/${at}.md`))
    const decided = await judged(rows)
    expect(decided.filter((kind) => kind === 'allow')).toHaveLength(20)
    expect(decided.slice(0, 20).every((kind) => kind === 'allow')).toBe(true)
    expect(await judged([await write('notes/later.md')])).toEqual(['ask'])
  })

  test.each<[string, Partial<Caller['work']>]>([
    ['another run began', { parent: idFrom('run', randomUUIDv7()) }],
    ['a schedule began', { schedule: 'morning' }],
    ['is done for a record', { about: 'plan_1' }],
    ['nobody watches', { unattended: true }],
  ])('asks in a run that %s', async (_why, change) => {
    const work = { agent: 'assistant', goal: null, schedule: null, unattended: false, ...change }
    expect(await judged([await write('notes/new.md')], { work })).toEqual(['ask'])
  })

  test('may be written again by its task until somebody changed it', async () => {
    expect(await judged([await write('notes/new.md')])).toEqual(['allow'])
    bench.resolve = () => resolved({ resources: [found('notes/new.md', first)], effects })
    expect(await judged([await write('notes/new.md')])).toEqual(['allow'])
    bench.resolve = () => resolved({ resources: [found('notes/new.md', second)], effects })
    expect(await judged([await write('notes/new.md')])).toEqual(['ask'])
  })
})

describe('what came back from the web', () => {
  const page = (host: string, change: Partial<CallRow>) => ({
    resource: madePage(host),
    left: null,
    change: { tool: 'fetch_web_page', args: `{"url":"https://${host}/"}`, ...change },
  })

  test('is told with the arguments that brought it, and only what went well counts as visited', async () => {
    await ended(page('a.example', { result_text: 'See https://b.example/x' }))
    await ended(page('gone.example', { outcome: 'failed', result_text: 'It leads to https://c.example/' }))
    await ended(page('other.example', { tool: 'read_file', result_text: 'https://d.example/' }))
    await ended(page('asked.example', { permit: null, result_text: 'https://e.example/' }))
    const { read, visited } = await soFar()
    expect(read).toEqual([
      { args: '{"url":"https://a.example/"}', text: 'See https://b.example/x' },
      { args: '{"url":"https://gone.example/"}', text: 'It leads to https://c.example/' },
    ])
    expect([...visited]).toEqual(['a.example'])
  })

  test.each<[string, Partial<UrlResource>, boolean]>([
    ['a public page', {}, false],
    ['an inner address', { addressClass: 'private' }, true],
    ['a name on another port', { port: 8080 }, true],
  ])('says whether the task reached the operator’s own network: %s', async (_what, change, wasInside) => {
    await ended({ resource: { ...madePage('a.example'), ...change }, left: null })
    expect((await soFar()).wasInside).toBe(wasInside)
  })

  const looker: ToolFacts = { ...(base.find('look') as ToolFacts), name: 'fetch_web_page', floor: 2 }
  const catalogue: ToolCatalogue = {
    ...base,
    find: (name) => (name === looker.name ? looker : base.find(name)),
  }
  const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }
  const judgedLooks = async (addresses: readonly string[], label: Label) => {
    bench.resolve = (_tool, args) => {
      const { hostname } = new URL((JSON.parse(args) as { url: string }).url)
      const effect = {
        verb: 'fetch' as const,
        object: hostname,
        scope: 'boundary' as const,
        reversible: true,
      }
      const effects = [{ ...effect, outward: false, leaves: ['the address'] }]
      return resolved({ resources: [madePage(hostname)], effects })
    }
    const rows: CallRow[] = []
    for (const url of addresses) rows.push(await bench.call(run, { tool: looker.name, args: json({ url }) }))
    await authorize(bench.caller(run, { catalogue, label }), rows, false, bench.ports)
    return Promise.all(rows.map(async ({ id }) => (await bench.look(id)).decision?.kind ?? 'waits'))
  }

  test('lets a run that knows nothing private follow what it found and look around there, and nowhere else', async () => {
    await ended(page('a.example', { result_text: 'See https://b.example/x' }))
    const addresses = ['https://b.example/x', 'https://b.example/made-up', 'https://a.example/made-up']
    expect(await judgedLooks(addresses, stranger)).toEqual(['allow', 'ask', 'allow'])
    const [row] = await bench.store.read(bench.operator, (db) =>
      db
        .selectFrom('calls')
        .select('permit')
        .where('run_id', '=', run.id)
        .where('nonce', 'is not', null)
        .execute(),
    )
    expect(row?.permit?.subject).toMatchObject({ tier: 2, grant: 'rule:level.medium-look' })
  })

  test('lets no run follow it that knows something private', async () => {
    await ended(page('a.example', { result_text: 'See https://b.example/x' }))
    expect(await judgedLooks(['https://b.example/x'], { ...stranger, confidentiality: 'private' })).toEqual([
      'ask',
    ])
  })

  test('lets twenty looks of a task run', async () => {
    const addresses = Array.from({ length: 22 }, (_, at) => `https://b.example/${at}`)
    await ended(page('a.example', { result_text: addresses.join('\n') }))
    const decided = await judgedLooks(addresses, stranger)
    expect(decided.filter((kind) => kind === 'allow')).toHaveLength(20)
    expect(decided.slice(20)).toEqual(['ask', 'ask'])
  })
})
