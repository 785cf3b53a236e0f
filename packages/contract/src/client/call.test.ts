import { expect, it } from 'vitest'
import { z } from 'zod'
import { define } from '../routes/define.ts'
import { callBy, requestOf } from './call.ts'

const Name = z.string()
const step = define(
  'put',
  '/v1/goals/{id}/steps/{step}',
  'Changes a step.',
  z.strictObject({ ok: z.literal(true) }),
  {
    params: z.object({ id: Name, step: Name }),
    query: z.object({ since: z.coerce.number().optional(), words: Name.optional() }),
    body: z.strictObject({ title: Name }),
  },
)

it('fills the path, and lets no value reach beyond its place', () => {
  expect(requestOf(step, { params: { id: 'a/b?c', step: '../x' }, body: { title: 'Pack' } })).toEqual({
    method: 'PUT',
    path: '/v1/goals/a%2Fb%3Fc/steps/..%2Fx',
    body: { title: 'Pack' },
  })
})

it('asks only for what was given', () => {
  const list = define('get', '/v1/goals', 'Goals.', Name)
  expect(requestOf(list)).toEqual({ method: 'GET', path: '/v1/goals' })
  expect(requestOf(list, { query: { since: 0, words: 'a b&c', none: undefined } })).toEqual({
    method: 'GET',
    path: '/v1/goals?since=0&words=a+b%26c',
  })
})

it('sends an empty object where a change says nothing more', () => {
  expect(requestOf(define('post', '/v1/pause', 'Pauses.', Name))).toMatchObject({ method: 'POST', body: {} })
  expect(requestOf(define('delete', '/v1/push', 'Forgets.', Name))).toEqual({
    method: 'DELETE',
    path: '/v1/push',
  })
})

it('parses the answer with the reply of the row, and passes the time limit on', async () => {
  const asked: unknown[] = []
  const call = callBy(async ({ path }, timeoutMs) => {
    asked.push([path, timeoutMs])
    return path.includes('wrong') ? '{"ok":false}' : '{"ok":true}'
  })
  const given = { params: { id: 'a', step: 'b' }, body: { title: 'Pack' } }
  expect(await call(step, given, 5)).toEqual({ ok: true })
  await expect(call(step, { ...given, params: { id: 'wrong', step: 'b' } })).rejects.toThrow()
  expect(asked).toEqual([
    ['/v1/goals/a/steps/b', 5],
    ['/v1/goals/wrong/steps/b', undefined],
  ])
})
