import { idFrom } from '@countersign/contract'
import { expect, test } from 'vitest'
import { touchedBy } from './queries.ts'

const at = '2026-01-01T00:00:00.000Z'
const run = idFrom('run', '1'.repeat(32))
const session = idFrom('ses', '1'.repeat(32))

test('a call makes its run old, and the plan that it may be a step of', () => {
  const body = {
    type: 'call.ended' as const,
    run,
    session,
    call: idFrom('call', '1'.repeat(32)),
    tool: 'read_file',
    headline: '',
    outcome: 'ok' as const,
    summary: '',
    undoable: false,
  }
  expect(touchedBy({ seq: 1, at, body })).toEqual([['run', run], ['plans']])
  const held = { ...body, outcome: 'held' as const }
  expect(touchedBy({ seq: 1, at, body: held })).toEqual([['run', run], ['plans'], ['unasked']])
})

test('a grant that is revoked makes the list of grants old', () => {
  const body = { type: 'grant.revoked' as const, grant: idFrom('gr', '1'.repeat(32)) }
  expect(touchedBy({ seq: 1, at, body })).toContainEqual(['grants'])
})

test('a plan is asked for anew when its run begins and when it ends', () => {
  const input = idFrom('inp', '1'.repeat(32))
  const started = { type: 'run.started' as const, run, session, input }
  const ended = { ...started, type: 'run.ended' as const, reason: 'completed' as const, message: '' }
  for (const body of [started, ended]) expect(touchedBy({ seq: 1, at, body })).toContainEqual(['plans'])
})

test('automations are asked for anew when one was changed, and when a run of one begins or ends', () => {
  const input = idFrom('inp', '1'.repeat(32))
  const started = { type: 'run.started' as const, run, session, input }
  const ended = { ...started, type: 'run.ended' as const, reason: 'completed' as const, message: '' }
  for (const body of [started, ended, { type: 'schedules.changed' as const }])
    expect(touchedBy({ seq: 1, at, body })).toContainEqual(['schedules'])
})
