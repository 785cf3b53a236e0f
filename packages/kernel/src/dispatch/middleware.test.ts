import { expect, it } from 'vitest'
import { type KernelMiddleware, middlewareRefusal, tellMiddleware } from './middleware.ts'

const unit = {} as never
const call = { id: 'call_1' } as never

it('takes the first refusal and asks nobody after it', async () => {
  const asked: string[] = []
  const says = (name: string, answer: string | undefined): KernelMiddleware => ({
    name,
    before: () => {
      asked.push(name)
      return Promise.resolve(answer)
    },
  })
  const silent: KernelMiddleware = { name: 'silent' }
  const all = [silent, says('a', undefined), says('b', 'no'), says('c', 'never')]
  expect(await middlewareRefusal(unit, call, all)).toBe('no')
  expect(asked).toEqual(['a', 'b'])
  expect(await middlewareRefusal(unit, call, [silent, says('a', undefined)])).toBeUndefined()
})

it('tells of the end in the reverse order', async () => {
  const told: unknown[] = []
  const hears = (name: string): KernelMiddleware => ({
    name,
    after: (_unit, { id }, end) => {
      told.push([name, id, end.outcome])
      return Promise.resolve()
    },
  })
  await tellMiddleware(unit, call, { outcome: 'ok', ms: 1 }, [hears('a'), { name: 'silent' }, hears('b')])
  expect(told).toEqual([
    ['b', 'call_1', 'ok'],
    ['a', 'call_1', 'ok'],
  ])
})
