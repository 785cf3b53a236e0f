import { expect, test } from 'vitest'
import { takeShared } from './shared.ts'

/** One cache, as the worker fills it. */
function caches(entries: Readonly<Record<string, Response>>) {
  const left = new Map(Object.entries(entries))
  return {
    left,
    open: async () => ({ match: async (path: string) => left.get(path) }) as unknown as Cache,
    delete: async () => {
      left.clear()
      return true
    },
  }
}

const form = () => {
  const given = new FormData()
  given.set('text', 'Look at this')
  return new Response(given)
}

test('what was shared is taken once, and nothing of it stays', async () => {
  const there = caches({ '/share/abc': form() })
  expect((await takeShared(there, 'abc'))?.get('text')).toBe('Look at this')
  expect(there.left.size).toBe(0)
  expect(await takeShared(there, 'abc')).toBeNull()
})

test('another share is not taken for this one, and goes too', async () => {
  const there = caches({ '/share/abc': form() })
  expect(await takeShared(there, '../share/abc')).toBeNull()
  expect(there.left.size).toBe(0)
})

test('what is no form is nothing', async () => {
  const text = new Response('nonsense', { headers: { 'content-type': 'multipart/form-data; boundary=x' } })
  expect(await takeShared(caches({ '/share/abc': text }), 'abc')).toBeNull()
})
