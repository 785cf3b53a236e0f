import type { ModelRequest } from '@countersign/agent'
import type { ApprovalView } from '@countersign/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createExplain } from './explain.ts'
import { openTestHistory, type TestHistory } from './history/testing/test-history.ts'
import { freeMeter } from './memory/recall/testing/made-vectors.ts'

const start = new Date('2026-03-01T12:00:00.000Z')

let testHistory: TestHistory
beforeAll(async () => {
  testHistory = await openTestHistory()
})
afterAll(() => testHistory.close())

it('asks with the words of this task alone', async () => {
  const { context } = testHistory
  const { session } = await testHistory.seed({
    at: start,
    turns: [{ user: 'Read the page', agent: 'It says so.' }],
  })
  await testHistory.change(async ({ db, sessions }) => {
    const before = await db
      .selectFrom('messages')
      .select('position')
      .where('session_id', '=', session)
      .orderBy('position', 'desc')
      .executeTakeFirstOrThrow()
    await sessions.archiveTo(session, before.position)
  })
  const { run } = await testHistory.seed({ session, at: start, turns: [{ user: 'Write the note' }] })
  const asked: ModelRequest[] = []
  const explain = createExplain({
    context,
    meterFor: () => freeMeter,
    model: {
      async *stream(request) {
        asked.push(request)
        const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }
        yield { type: 'end', reply: { text: 'So.', calls: [], finish: 'stop', usage, model: 'scripted' } }
      },
    },
  })
  const approval = { run, session, card: { headline: 'Write a note' }, agentSays: '' } as ApprovalView
  expect(await explain(context.operator, approval, 'Why?')).toBe('So.')
  const told = JSON.stringify(asked)
  expect(told).toContain('Write the note')
  expect(told).not.toContain('Read the page')
})
