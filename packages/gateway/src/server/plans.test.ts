import { randomUUIDv7 } from 'node:crypto'
import { CountersignError, idFrom, Plan, type PlanView } from '@countersign/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { type RouteApp, routeApp } from '../testing/route-app.ts'
import { addPlanRoutes, type PlanParts } from './plans.ts'

const session = idFrom('ses', randomUUIDv7())
const actor = { kind: 'operator', id: 'laptop' } as const
const id = `plan_${'a'.repeat(32)}`
const step = {
  type: 'tool_call' as const,
  id: 'a',
  name: 'Look',
  tool: 'read_file',
  args: { path: ['deep', { er: null }] },
}

let plan: PlanView
let asked: unknown[]
let client: RouteApp['client']
let app: RouteApp['app']

function inMemory(): PlanParts {
  const changed = (change: Partial<Plan>) => {
    plan = { ...plan, ...change }
    return Promise.resolve({ ok: true as const, ledger: 7, plan })
  }
  const heard = <T>(what: unknown, then: T): T => {
    asked.push(what)
    return then
  }
  return {
    plans: {
      list: (query) => Promise.resolve(heard(query, { plans: [plan], total: 1 })),
      detail: (ref) => {
        if (ref !== id) throw new CountersignError('not_found', `There is no plan ${ref}.`)
        const states = [{ step: 'a', state: 'later' as const, times: 0, attempts: 0, words: '' }]
        return Promise.resolve({ plan, problems: [], states })
      },
      add: (added, by) => heard([added, by], changed(added)),
      change: (_ref, change, by) => heard([change, by], changed(change)),
      remove: (ref, by) => Promise.resolve(heard([ref, by], 9)),
      preview: (ref) =>
        Promise.resolve({
          plan: ref,
          version: 1,
          steps: [],
          stops: 'No stops for you.',
          lease: [],
          digest: 'd',
          problems: [],
        }),
      execute: (ref, ahead, by) =>
        Promise.resolve(heard([ref, ahead, by], { ok: true as const, ledger: 8, plan, session, ahead: 0 })),
      pause: () => changed({ status: 'paused' }),
      resume: () => changed({ status: 'in_progress' }),
      skip: (ref, step, by) => heard([ref, step, by], changed({ skipped: [step] })),
    },
  }
}

beforeEach(() => {
  asked = []
  const now = '2026-08-01T12:00:00Z'
  plan = { id, ...Plan.parse({ name: 'Trip' }), label: null, createdAt: now, updatedAt: now }
  ;({ app, client } = routeApp((routes) => addPlanRoutes(routes, inMemory())))
})

describe('plans over HTTP', () => {
  test('are kept, listed, changed and removed, as the act of who asked', async () => {
    const added = await client.addPlan({ name: 'Trip', steps: [step] })
    expect(added.plan.steps).toMatchObject([{ ...step, onFailure: 'stop', dependsOn: [] }])
    expect(asked).toMatchObject([[{ name: 'Trip', goal: '' }, actor]])
    expect((await client.plans({ status: 'pending' })).total).toBe(1)
    expect(asked.at(-1)).toEqual({ limit: 50, status: 'pending' })
    expect((await client.plan(id)).states).toHaveLength(1)
    expect((await client.changePlan(id, { goal: 'Sea' })).plan.goal).toBe('Sea')
    expect(await client.removePlan(id)).toEqual({ ok: true, ledger: 9 })
  })

  test('are looked at, begun and held', async () => {
    expect((await client.previewPlan(id)).stops).toBe('No stops for you.')
    expect(await client.executePlan(id, 'd')).toMatchObject({ session, ledger: 8 })
    expect(asked.at(-1)).toEqual([id, 'd', actor])
    await client.executePlan(id)
    expect(asked.at(-1)).toEqual([id, undefined, actor])
    expect((await client.pausePlan(id)).plan.status).toBe('paused')
    expect((await client.resumePlan(id)).plan.status).toBe('in_progress')
    await client.skipPlanStep(id, 'fetch')
    expect(asked.at(-1)).toEqual([id, 'fetch', actor])
  })

  test('refuse a step of no type, a field too much, and an id that is none', async () => {
    await expect(
      client.addPlan({ name: 'x', steps: [{ ...step, type: 'dance' } as never] }),
    ).rejects.toMatchObject({ code: 'usage' })
    await expect(
      client.addPlan({ name: 'x', steps: [{ ...step, colour: 'red' } as never] }),
    ).rejects.toMatchObject({ code: 'usage' })
    await expect(client.changePlan(id, { status: 'completed' } as never)).rejects.toMatchObject({
      code: 'usage',
    })
    await expect(client.plan('nothing')).rejects.toMatchObject({ code: 'usage' })
    await expect(client.plan(`plan_${'b'.repeat(32)}`)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('stand in the OpenAPI document', () => {
    const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 't', version: '1' } })
    expect(Object.keys(document.paths ?? {})).toContain('/v1/plans/{id}/execute')
  })
})
