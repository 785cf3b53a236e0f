import type { GrantScope } from '@countersign/policy'
import { expect, it } from 'vitest'
import type { JudgedCall } from './call.ts'
import { mayMeet } from './scopes.ts'

const given = { run: 'mon-0800', session: 'chat' } as JudgedCall
const scope = (kind: GrantScope) => ({ scope: kind, given })

it.each([
  ['run', { run: 'mon-0800', session: 'other' }, { run: 'tue-0900', session: 'chat' }],
  ['session', { run: 'tue-0900', session: 'chat' }, { run: 'tue-0900', session: 'tue-0900' }],
] as const)(
  'a scope for the %s meets what is in it, in whatever order, and nothing else',
  (kind, inside, outside) => {
    expect(mayMeet(scope(kind), inside)).toBe(true)
    expect(mayMeet(scope(kind), outside)).toBe(false)
  },
)

it('a scope for a time may meet whatever is done, by whichever agent', () => {
  expect(mayMeet(scope('time'), { run: 'sun-2000', session: 'sun-2000' })).toBe(true)
})
