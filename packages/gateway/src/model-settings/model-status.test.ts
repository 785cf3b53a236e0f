import type { ListedModels } from '@countersign/models'
import { beforeEach, describe, expect, test } from 'vitest'
import { createModelStatus } from './model-status.ts'

let now: number
let route: string | null
let view: { calls: number; failures: number; breaker: 'closed' | 'open' | 'half-open' }
let answer: ListedModels
let asks: number
let problem: string | null

beforeEach(() => {
  now = 1_000_000
  route = 'acme/large'
  view = { calls: 0, failures: 0, breaker: 'closed' }
  answer = { kind: 'listed', models: ['large'] }
  asks = 0
  problem = null
})

const open = () =>
  createModelStatus({
    next: () =>
      Promise.resolve(route === null ? { next: null, problem: 'Nothing.' } : { next: route }) as never,
    health: { view: () => ({ ...view, medianMs: null, opensAgainAt: null }), problem: () => problem },
    list: () => {
      asks += 1
      return Promise.resolve(answer)
    },
    clock: () => now,
  })

describe('a model', () => {
  test('that delivered lately works, and its server is not asked', async () => {
    view = { calls: 3, failures: 1, breaker: 'closed' }
    expect(await open()()).toMatchObject({ ok: true, state: 'ok' })
    expect(asks).toBe(0)
  })

  test('that was never called is asked for its models, rarely', async () => {
    const reach = open()
    expect(await reach()).toMatchObject({ ok: true, state: 'ok' })
    await reach()
    expect(asks).toBe(1)
    now += 6 * 60_000
    await reach()
    expect(asks).toBe(2)
  })

  test('whose server is not there fails since it was first seen so, and is seen to come back', async () => {
    const reach = open()
    answer = { kind: 'failed', message: 'Acme could not be asked.', status: null }
    const first = await reach()
    expect(first).toMatchObject({ ok: false, state: 'failing', problem: 'Acme could not be asked.' })
    now += 31_000
    expect(await reach()).toMatchObject({ state: 'failing', since: first.since })
    answer = { kind: 'listed', models: [] }
    now += 31_000
    expect(await reach()).toMatchObject({ ok: true, state: 'ok', since: null })
  })

  test('that is left alone after failures fails, and is not said to be none', async () => {
    const reach = createModelStatus({
      next: () => Promise.resolve({ next: null, problem: 'Left alone for 30 s.', resting: 'acme/large' }),
      health: { view: () => ({ ...view, medianMs: null, opensAgainAt: null }), problem: () => problem },
      list: () => Promise.resolve(answer),
      clock: () => now,
    })
    const since = new Date(now).toISOString()
    const failing = { provider: 'acme', model: 'large', ok: false, state: 'failing', since }
    expect(await reach()).toEqual({ ...failing, problem: 'Left alone for 30 s.' })
    now += 5_000
    expect(await reach()).toMatchObject(failing)
  })

  test('whose server answers without a list has not been tried', async () => {
    answer = { kind: 'failed', message: 'It lists none.', status: 404 }
    expect(await open()()).toMatchObject({ ok: true, state: 'untried' })
  })

  test('whose key is refused, whose calls all failed, or that is not chosen does not work', async () => {
    answer = { kind: 'failed', message: 'The key.', status: 401 }
    expect(await open()()).toMatchObject({ ok: false, state: 'failing' })
    view = { calls: 2, failures: 2, breaker: 'closed' }
    expect(await open()()).toMatchObject({ ok: false, state: 'failing' })
    route = null
    expect(await open()()).toMatchObject({ ok: false, state: 'none', model: '', problem: 'Nothing.' })
  })
})
