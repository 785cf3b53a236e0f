import { expect, test } from 'vitest'
import type { Resource } from '../effect.ts'
import { hasDeceptiveName } from './deceptive-names.ts'

const hostOf = (host: string): Resource => ({
  type: 'url',
  scheme: 'https',
  host,
  port: 443,
  method: 'GET',
  addressClass: 'name',
  redirects: 'refused',
  carries: 'address',
})

test('finds a host whose letters imitate others, in the form in which hosts arrive', () => {
  expect(hasDeceptiveName([hostOf('www.xn--pypal-4ve.com')])).toBe(true)
  expect(hasDeceptiveName([hostOf('xn--80ak6aa92e.com')])).toBe(true)
})

test('lets honest hosts of any language be', () => {
  for (const host of ['paypal.com', 'xn--mnchen-3ya.de', 'xn--e1afmkfd.xn--p1ai'])
    expect(hasDeceptiveName([hostOf(host)])).toBe(false)
})

test('finds a path that is not what it looks like', () => {
  const file = { type: 'file', root: 'workspace', op: 'read', identity: 'absent', content: null } as const
  expect(hasDeceptiveName([{ ...file, path: 'notes\u202etxt' }])).toBe(true)
  expect(hasDeceptiveName([{ ...file, path: 'notes.txt' }])).toBe(false)
})

test('finds both on another computer too', () => {
  const on = (change: object) =>
    ({
      type: 'node',
      node: 'node_x',
      executor: 'exe_x',
      key: '',
      name: 'laptop',
      capability: 'files',
      op: 'write',
      object: 'notes.txt',
      content: null,
      ...change,
    }) as unknown as Resource
  const open = (object: string) => on({ capability: 'browser', op: 'show', object })
  expect(hasDeceptiveName([on({})])).toBe(false)
  expect(hasDeceptiveName([on({ object: 'invoice\u202efdp.sh' })])).toBe(true)
  expect(hasDeceptiveName([on({ name: 'l\u0430ptop' })])).toBe(true)
  expect(hasDeceptiveName([open('https://example.org/')])).toBe(false)
  expect(hasDeceptiveName([open('https://www.xn--pypal-4ve.com/')])).toBe(true)
})
