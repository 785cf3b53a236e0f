import type { RunId, SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPrivateConversations } from './private.ts'
import { openTestHistory, type TestHistory } from './testing/test-history.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const silenceMs = 30 * 60_000

let testHistory: TestHistory
beforeAll(async () => {
  testHistory = await openTestHistory()
})
afterAll(() => testHistory.close())

const operator = () => testHistory.context.operator

async function talk(isPrivate: boolean, state: 'running' | 'parked' | 'stopped' = 'stopped') {
  const made = await testHistory.seed({
    at,
    state,
    turns: [{ user: 'Look at the boat', agent: 'The boat is fine.' }],
  })
  await testHistory.owner.within(operator(), ({ db }) =>
    sql`update sessions set private = ${isPrivate}, updated_at = ${at} where id = ${made.session}`.execute(
      db,
    ),
  )
  return made
}

const wordsOf = (session: SessionId) =>
  testHistory.change(({ db }) =>
    db.selectFrom('messages').select('text').where('session_id', '=', session).execute(),
  )

function open() {
  const stopped: RunId[] = []
  const forgotten: RunId[] = []
  const privates = createPrivateConversations({
    context: testHistory.context,
    stopRun: async (run) => void stopped.push(run),
    forgetRequests: (runs) => forgotten.push(...runs),
    silenceMs,
  })
  return { privates, stopped, forgotten }
}

it('erases a private conversation after a silence, not before it, and no other', async () => {
  const { session, run } = await talk(true)
  const other = await talk(false)
  const { privates, forgotten } = open()
  await privates.sweep(new Date(at.getTime() + silenceMs - 1))
  expect(await wordsOf(session)).toHaveLength(2)
  await privates.sweep(new Date(at.getTime() + silenceMs))
  expect(await wordsOf(session)).toEqual([])
  expect(forgotten).toEqual([run])
  expect(await wordsOf(other.session)).toHaveLength(2)
})

it('stops what works in one that was left, and erases it when that has ended', async () => {
  const { session, run } = await talk(true, 'running')
  const { privates, stopped } = open()
  await privates.end(operator(), session, { kind: 'operator', id: 'desk' })
  expect(stopped).toEqual([run])
  expect(await wordsOf(session)).toHaveLength(2)
  await testHistory.owner.within(operator(), ({ db }) =>
    sql`update runs set state = 'stopped' where id = ${run}`.execute(db),
  )
  await privates.sweep(at)
  expect(await wordsOf(session)).toEqual([])
})

it('does not wait for an answer that never comes, nor end while something works or has just happened', async () => {
  const parked = await talk(true, 'parked')
  const running = await talk(true, 'running')
  const asked = await talk(true, 'parked')
  const soon = new Date(at.getTime() + silenceMs - 1)
  await testHistory.owner.within(operator(), async ({ db }) => {
    await sql`insert into events (operator_id, seq, at, body)
      values (${operator()}, 900001, ${soon}, ${JSON.stringify({ type: 'run.parked', session: asked.session, run: asked.run, on: 'question' })})`.execute(
      db,
    )
  })
  const { privates, stopped } = open()
  await privates.sweep(new Date(at.getTime() + silenceMs))
  expect(stopped).toEqual([parked.run])
  await privates.sweep(new Date(soon.getTime() + silenceMs))
  expect(stopped).toContain(asked.run)
  expect(stopped).not.toContain(running.run)
})
