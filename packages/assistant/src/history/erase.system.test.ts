import { type RunId, type SessionId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clearSession } from './clear.ts'
import { openTestHistory, type TestHistory } from './testing/test-history.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const desk = { kind: 'operator' as const, id: 'desk' }

let testHistory: TestHistory
beforeAll(async () => {
  testHistory = await openTestHistory()
})
afterAll(() => testHistory.close())

const operator = () => testHistory.context.operator
const talk = (state: 'running' | 'stopped') =>
  testHistory.seed({ at, state, turns: [{ user: 'Look at the boat', agent: 'The boat is fine.' }] })
const endedIn = (id: string, session: SessionId | null, run: RunId | null) =>
  testHistory.owner.within(operator(), ({ db }) =>
    sql`insert into occurrences
        (operator_id, id, schedule, key, version, cause, due_at, state, created_at, session_id, run_id, message)
      values (${operator()}, ${id}, 'daily', ${id}, 1, 'time', ${at}, 'succeeded', ${at}, ${session}, ${run},
        'The boat is fine.')`.execute(db),
  )

it('leaves no words of how a scheduled run of the conversation ended', async () => {
  const { session, run } = await talk('stopped')
  const other = await talk('stopped')
  await endedIn('by session', session, null)
  await endedIn('by run', null, run)
  await endedIn('elsewhere', other.session, other.run)
  expect(await testHistory.change((tx) => clearSession(tx, session, desk))).toBe(2)
  const { rows } = await testHistory.owner.within(operator(), ({ db }) =>
    sql<{ id: string; message: string }>`select id, message, state from occurrences order by id`.execute(db),
  )
  expect(rows).toEqual([
    { id: 'by run', message: '', state: 'succeeded' },
    { id: 'by session', message: '', state: 'succeeded' },
    { id: 'elsewhere', message: 'The boat is fine.', state: 'succeeded' },
  ])
})

it('refuses while a run of it is not over, and takes nothing away', async () => {
  const { session } = await talk('running')
  await expect(testHistory.change((tx) => clearSession(tx, session, desk))).rejects.toMatchObject({
    code: 'conflict',
  })
  const messages = await testHistory.change(({ db }) =>
    db.selectFrom('messages').select('text').where('session_id', '=', session).execute(),
  )
  expect(messages).toHaveLength(2)
})
