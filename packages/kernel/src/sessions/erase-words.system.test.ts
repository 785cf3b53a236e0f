import { randomUUIDv7 } from 'node:crypto'
import type { CallId, GrantId, OperatorId, RunId, SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LaneMessage } from '../lanes/lane-ports.ts'
import { createLanes, type Lanes } from '../lanes/lanes.ts'
import { lockRun } from '../store/run-row.ts'
import { settingsState } from '../store/settings-state.ts'
import { json, type Unit } from '../store/store.ts'
import { type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { sessionsIn } from './sessions.ts'

const desk = { kind: 'operator' as const, id: 'desk' }
/** Stands in all that a test says. */
const word = 'zanzibar'

let store: MadeStore
let lanes: Lanes
let operator: OperatorId
let started: string[]

beforeAll(async () => {
  store = await openMadeStore()
  lanes = createLanes({
    store,
    settings: settingsState([]),
    uuid: randomUUIDv7,
    redact: (text) => text,
    start: ({ runId }) => started.push(runId),
    steer: async () => false,
    ended: async () => undefined,
  })
})
afterAll(() => store.close())
beforeEach(async () => {
  store.clear()
  started = []
  operator = await store.newOperator()
})

const within = <T>(work: (unit: Unit) => Promise<T>) => store.within(operator, work)
const message = (session: SessionId | null, change: Partial<LaneMessage> = {}): LaneMessage => ({
  key: randomUUIDv7(),
  session,
  text: `Tell me of ${word}`,
  mode: 'auto',
  requester: desk,
  ...change,
})
const say = (session: SessionId | null, change?: Partial<LaneMessage>) =>
  lanes.admit(operator, message(session, change))
async function begin() {
  const { session, run } = await say(null)
  return { session, run: run as RunId }
}
const end = (run: RunId) =>
  within(async (unit) => {
    const row = await lockRun(unit, run)
    if (row) await lanes.finish(unit, row, 'completed', `Done with ${word}.`)
  })
const erase = (session: SessionId) =>
  within(async (unit) => {
    const sessions = sessionsIn(unit)
    await sessions.lock(session)
    return sessions.eraseWords(session)
  })
/** The text of every row of these tables that names the word. */
const holding = (...tables: string[]) =>
  within(async ({ db }) => {
    const found: string[] = []
    for (const table of tables) {
      const { rows } = await sql`
        select 1 from ${sql.table(table)} as held
        where operator_id = ${operator} and held::text like ${`%${word}%`}`.execute(db)
      if (rows.length > 0) found.push(table)
    }
    return found
  })

test('what waits in a conversation goes with it, and starts nothing when everything goes on', async () => {
  const { session, run } = await begin()
  await end(run)
  await lanes.pauseAll(operator, desk)
  const waiting = message(session)
  expect(await lanes.admit(operator, waiting)).toMatchObject({ run: null })
  expect(await erase(session)).toBe(true)
  expect(await holding('inputs')).toEqual([])
  await lanes.resumeAll(operator, desk)
  expect(started).toEqual([run])
  // The program that sent it may send it again, since it saw no answer.
  expect(await lanes.admit(operator, waiting)).toMatchObject({ session, run: null })
  expect(started).toEqual([run])
})

test('a conversation in which a message of a schedule waits is not erased: its end is told to the schedule', async () => {
  const { session, run } = await begin()
  await end(run)
  await lanes.pauseAll(operator, desk)
  const work = { agent: 'assistant', goal: null, schedule: 'sch_1', unattended: true }
  await say(session, { work })
  expect(await erase(session)).toBe(false)
  expect(await holding('inputs', 'messages')).toEqual(['inputs', 'messages'])
})

test('a reader at work keeps its conversation from being erased, and afterwards its question is gone', async () => {
  const { session, run } = await begin()
  const reader = await begin()
  await within(({ db }) =>
    sql`update runs set parent = ${run}, answers = 'call_1' where id = ${reader.run}`.execute(db),
  )
  await end(run)
  expect(await erase(session)).toBe(false)
  await end(reader.run)
  await within(({ db }) =>
    db
      .updateTable('runs')
      .set({ retry: json({ at: '', attempt: 1, of: 5, because: `No ${word}.`, provider: 'a' }) })
      .where('id', '=', reader.run)
      .execute(),
  )
  expect(await erase(session)).toBe(true)
  // The conversation itself keeps its title where it is only cleared.
  await within((unit) => sessionsIn(unit).rename(session, ''))
  expect(await holding('sessions', 'messages', 'inputs', 'runs')).toEqual([])
})

test('replies of earlier attempts of a call are erased as that of the last', async () => {
  const { session, run, call } = await store.newCall(operator)
  await end(run)
  const elsewhere = await store.newCall(operator)
  await within(({ db }) => db.updateTable('calls').set({ nonce: 'second' }).where('id', '=', call).execute())
  for (const [nonce, of] of [
    ['first', call],
    ['second', call],
    ['third', elsewhere.call],
  ] as const)
    await used(nonce, of)
  expect(await erase(session)).toBe(true)
  const { rows } = await within(({ db }) =>
    sql<{ nonce: string }>`
      select nonce from record_permit_uses where reply::text like ${`%${word}%`} order by nonce`.execute(db),
  )
  expect(rows.map(({ nonce }) => nonce)).toEqual(['third'])
})

let seq = 1_000
const used = (nonce: string, call: CallId) =>
  within(async ({ db, now }) => {
    const reply = {
      kind: 'done',
      startedAt: '',
      endedAt: '',
      result: { ok: true, text: word, summary: word },
    }
    await sql`insert into record_permit_uses (operator_id, nonce, digest, reply, at)
      values (${operator}, ${nonce}, '', ${json(reply as never)}, ${now})`.execute(db)
    await sql`insert into ledger_entries (operator_id, seq, type, call_id, body, leaf)
      values (${operator}, ${(seq += 1)}, 'effect.intended', ${call},
        ${JSON.stringify({ data: { nonce } })}, '')`.execute(db)
  })

test('a grant for the conversation ends with it and says nothing more, and one that goes further stays', async () => {
  const { session, run } = await begin()
  await end(run)
  const grant = (id: string, place: { session_id?: SessionId; run_id?: RunId }) => ({
    operator_id: operator,
    id: `gr_${id}` as GrantId,
    tool: 'http_request',
    covers: json([{ type: 'call' as const, hash: word }]),
    sentence: `All of ${word}`,
    session_id: null,
    run_id: null,
    approval_id: null,
    created_at: new Date(),
    expires_at: new Date(Date.now() + 60_000),
    max_uses: null,
    revoked_at: null,
    ...place,
  })
  await within(({ db }) =>
    db
      .insertInto('grants')
      .values([grant('of-session', { session_id: session }), grant('of-run', { run_id: run })])
      .execute(),
  )
  expect(await erase(session)).toBe(true)
  expect(await holding('grants')).toEqual([])
  await within(({ db }) => db.insertInto('grants').values(grant('of-all', {})).execute())
  expect(await erase(session)).toBe(true)
  expect(await holding('grants')).toEqual(['grants'])
  const standing = await within(({ db }) =>
    db.selectFrom('grants').select('id').where('revoked_at', 'is', null).execute(),
  )
  expect(standing).toEqual([{ id: 'gr_of-all' }])
})
