import { CountersignError, idFrom, ScheduleSettings, type ScheduleView } from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RouteApp, routeApp } from '../testing/route-app.ts'
import { addScheduleRoutes, type ScheduleParts } from './schedules.ts'

const actor = { kind: 'operator', id: 'laptop' } as const
const settings = ScheduleSettings.parse({
  name: 'Brief',
  trigger: { kind: 'cron', expression: '0 8 * * 1-5', zone: 'Europe/Zagreb' },
  does: { kind: 'prompt', text: 'send it' },
})
const view: ScheduleView = {
  id: 'sched_1',
  ...settings,
  version: 1,
  session: idFrom('ses', '1'.repeat(32)),
  creator: actor,
  origins: [],
  words: 'Weekdays 08:00 Europe/Zagreb',
  next: [],
  last: [],
  averageCostUsd: null,
  look: null,
  label: null,
  createdAt: '2026-03-05T12:00:00.000Z',
  updatedAt: '2026-03-05T12:00:00.000Z',
}

let app: RouteApp['app']
let acts: unknown[][]

beforeEach(() => {
  acts = []
  const did = <T>(reply: T, ...act: unknown[]) => {
    acts.push(act)
    return Promise.resolve(reply)
  }
  const parts: ScheduleParts = {
    list: () => Promise.resolve([view]),
    get: (id) =>
      id === 'sched_1' ? Promise.resolve(view) : Promise.reject(new CountersignError('not_found', 'None.')),
    preview: () => ({ settings, words: view.words, next: [] }),
    add: (added, by) => did({ schedule: view, ledger: 3 }, 'add', added, by),
    change: (id, change, by) => did({ schedule: view, ledger: 4 }, 'change', id, change, by),
    remove: (id, by) => did({ id, name: 'Brief', ledger: 5 }, 'remove', id, by),
    run: () => Promise.reject(new CountersignError('not_found', 'None.')),
    lookNow: (id) => did({ started: 2, look: { lookedAt: null, problem: null, waiting: 0 } }, 'look', id),
    history: (id, limit) => did([], 'history', id, limit),
    whyNot: (id, day) =>
      did(
        { schedule: id, name: 'Brief', day: day ?? '2026-03-05', zone: 'UTC', answer: 'No.', trace: [] },
        'why',
        day,
      ),
  }
  ;({ app } = routeApp((routes) => addScheduleRoutes(routes, parts)))
})

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await app.request(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

describe('the routes of schedules', () => {
  it('show, preview and explain without an act', async () => {
    expect(await ask('GET', '/v1/schedules')).toMatchObject({ status: 200, body: [{ id: 'sched_1' }] })
    expect(await ask('GET', '/v1/schedules/sched_1')).toMatchObject({ status: 200 })
    expect(await ask('POST', '/v1/schedules/preview', { sentence: 'x' })).toMatchObject({
      body: { words: view.words },
    })
    expect(acts).toEqual([])
    expect(await ask('GET', '/v1/schedules/sched_1/why-not?day=2026-03-04')).toMatchObject({
      body: { day: '2026-03-04' },
    })
    await ask('GET', '/v1/schedules/sched_1/occurrences?limit=7')
    expect(acts.at(-1)).toEqual(['history', 'sched_1', 7])
  })

  it('answer every change with the number of its entry, in the name of who made it', async () => {
    expect(await ask('POST', '/v1/schedules', { sentence: 'every day 8:00 x' })).toMatchObject({
      body: { ledger: 3 },
    })
    expect(await ask('PUT', '/v1/schedules/sched_1', { status: 'paused' })).toMatchObject({
      body: { ledger: 4 },
    })
    expect(await ask('DELETE', '/v1/schedules/sched_1')).toMatchObject({ body: { ledger: 5 } })
    expect(acts).toEqual([
      ['add', { sentence: 'every day 8:00 x' }, actor],
      ['change', 'sched_1', { status: 'paused' }, actor],
      ['remove', 'sched_1', actor],
    ])
  })

  it('refuse what is no schedule, no day, and an id that is not there', async () => {
    const cron = { kind: 'cron', expression: '0 8 * *', zone: 'UTC' }
    expect((await ask('POST', '/v1/schedules', { trigger: cron })).status).toBe(400)
    expect((await ask('PUT', '/v1/schedules/sched_1', { version: 9 })).status).toBe(400)
    expect((await ask('PUT', '/v1/schedules/sched_1', { session: 'ses_1' })).status).toBe(400)
    expect((await ask('GET', '/v1/schedules/sched_1/why-not?day=soon')).status).toBe(400)
    expect((await ask('GET', '/v1/schedules/sched_2')).status).toBe(404)
    expect((await ask('POST', '/v1/schedules/sched_1/run', {})).status).toBe(404)
    expect(acts).toEqual([])
  })
})
