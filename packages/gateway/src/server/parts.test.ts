import { CountersignError, errorCatalogue, idFrom } from '@countersign/contract'
import type { InstallResult } from '@countersign/models'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, test } from 'vitest'
import { operator } from '../model-settings/testing/test-records.ts'
import { errorReply } from './failures.ts'
import { addPartRoutes, type Install } from './parts.ts'
import type { Env } from './route.ts'

const device = idFrom('dev', '0'.repeat(32))
const installed: InstallResult = { kind: 'installed', version: '1', bytes: 5 }

function serve(parts: Readonly<Record<string, Install>>) {
  const app = new OpenAPIHono<Env>()
  const acts: string[] = []
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json(errorReply(error), errorCatalogue[error.code].http)
  })
  app.use('*', async (context, next) => {
    context.set('speaker', { operator, device, actor: { kind: 'operator', id: 'laptop' }, reach: 3 })
    await next()
  })
  addPartRoutes(app, {
    parts: new Map(Object.entries(parts)),
    act: (_operator, { type }) => Promise.resolve(acts.push(type)),
  })
  return { acts, post: async (name: string) => app.request(`/v1/parts/${name}`, { method: 'POST' }) }
}

/** Ends when it is told to. */
function held() {
  const ends: ((installed: InstallResult) => void)[] = []
  const install: Install = (onProgress) => {
    onProgress({ fraction: 0, words: 'Begun.' })
    return new Promise((resolve) => ends.push(resolve))
  }
  return { install, ends }
}

test('tells how far it is, and at the end what is there', async () => {
  const { post, acts } = serve({
    one: (onProgress) => {
      onProgress({ fraction: 0.5, words: 'Half.' })
      return Promise.resolve(installed)
    },
  })
  const lines = (await (await post('one')).text()).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { fraction: 0.5, words: 'Half.' },
    { installed: true, version: '1', bytes: 5 },
  ])
  expect(acts).toEqual(['part.installed'])
})

test('installs a part once at a time, and another beside it', async () => {
  const [one, other] = [held(), held()]
  const { post, acts } = serve({ one: one.install, other: other.install })
  const first = await post('one')
  const second = await post('one')
  expect(second.status).toBe(errorCatalogue.conflict.http)
  expect(await second.json()).toMatchObject({ error: { type: 'conflict' } })
  const beside = await post('other')
  expect(beside.status).toBe(200)
  expect([one.ends.length, other.ends.length]).toEqual([1, 1])
  one.ends[0]?.(installed)
  other.ends[0]?.(installed)
  await Promise.all([first.text(), beside.text()])
  expect(acts).toHaveLength(2)
})

test('may be tried again after a failure, and after whoever asked went away', async () => {
  let calls = 0
  const { post } = serve({
    one: (_onProgress, signal) => {
      calls += 1
      if (calls === 1) return Promise.resolve({ kind: 'failed', message: 'No network.' })
      if (calls === 3) return Promise.resolve(installed)
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ kind: 'failed', message: 'Cancelled.' })),
      )
    },
  })
  expect(await (await post('one')).text()).toContain('No network.')
  await (await post('one')).body?.cancel()
  await expect.poll(async () => (await post('one')).status).toBe(200)
  expect(calls).toBe(3)
})

test('knows no other part', async () => {
  const { post } = serve({ one: () => Promise.resolve(installed) })
  expect((await post('two')).status).toBe(errorCatalogue.not_found.http)
})
