import { define } from '@countersign/contract/routes'
import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { routeApp } from '../testing/route-app.ts'
import { knownFailure, unreadable } from './failures.ts'
import { route } from './route.ts'

const body = z.object({ name: z.string() })
const { app } = routeApp((routes) =>
  routes.openapi(route(define('post', '/v1/names', 'Takes a name.', body, { body })), (context) =>
    context.json(context.req.valid('json'), 200),
  ),
)
const ask = (type: string | undefined, text: string) =>
  app.request('/v1/names', {
    method: 'POST',
    headers: type === undefined ? {} : { 'content-type': type },
    body: Buffer.from(text),
  })

it('takes JSON that says so', async () => {
  const answer = await ask('application/json', '{"name":"a"}')
  expect([answer.status, await answer.json()]).toEqual([200, { name: 'a' }])
})

it.each([
  ['another type', 'text/plain', '{"name":"a"}'],
  ['no type', undefined, '{"name":"a"}'],
  ['half a text', 'application/json', '{"name":'],
])('tells whoever sent %s what to send', async (_, type, text) => {
  const answer = await ask(type, text)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    ok: false,
    error: { type: 'usage', next: expect.stringContaining('application/json') },
  })
})

it('says of an id that can be none that there is nothing, and never speaks as the validator', () => {
  const parsed = z.object({ id: z.string().regex(/^run_/) }).safeParse({ id: 'nope' })
  const error = parsed.error ?? { issues: [] }
  expect(unreadable({ target: 'param', error })).toMatchObject({ code: 'not_found' })
  const wrong = unreadable({ target: 'query', error })
  expect(wrong).toMatchObject({ code: 'usage', message: expect.stringContaining('id: ') as string })
  expect(wrong.message).not.toMatch(/[✖→]/)
})

it.each([
  ['the operating system', { code: 'ENOSPC' }],
  ['the database', { code: '53100' }],
])('says that the disk is full where %s does, however deep', (_, cause) => {
  const error = new Error('not done', { cause: Object.assign(new Error('full'), cause) })
  expect(knownFailure(error)).toMatchObject({
    code: 'ledger_unwritable',
    message: expect.stringContaining('disk'),
  })
  expect(knownFailure(new Error('other', { cause: new Error('else') }))).toBeNull()
})
