import { createHash, randomUUIDv7 } from 'node:crypto'
import { CountersignError, errorCatalogue, idFrom, Plan, type PlanView } from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorReply } from './api.ts'
import { addPlanRoutes, type PlanParts } from './plans.ts'
import type { Env } from './route.ts'

const operator = idFrom('op', randomUUIDv7())
const device = idFrom('dev', randomUUIDv7())
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
let client: ReturnType<typeof createClient>
let app: OpenAPIHono<Env>

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
    },
  }
}

beforeEach(() => {
  asked = []
  const now = '2026-08-01T12:00:00Z'
  plan = { id, ...Plan.parse({ name: 'Trip' }), label: null, createdAt: now, updatedAt: now }
  app = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new CountersignError('usage', z.prettifyError(result.error))
    },
  })
  app.use(async (context, next) => {
    context.set('speaker', { operator, device, actor })
    await next()
  })
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json(errorReply(error), errorCatalogue[error.code].http)
  })
  addPlanRoutes(app, inMemory())
  client = createClient({
    url: 'http://127.0.0.1:1',
    signer: {
      device,
      gateway: idFrom('gw', randomUUIDv7()),
      sign: () => Promise.resolve(''),
      hash: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      nonce: () => 'nonce',
      now: () => new Date('2026-08-01T12:00:00Z'),
    },
    fetch: async (url, { method, headers, body }) =>
      app.request(url.pathname + url.search, { method, headers, ...(body === undefined ? {} : { body }) }),
  })
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
