import { describe, expect, it } from 'vitest'
import { type Hop, locationOf, nextHop } from './redirect.ts'
import { describeTarget, type Target } from './target.ts'

function targetOf(url: string): Target {
  const target = describeTarget(url)
  if (target.kind === 'refused') throw new Error(target.reason)
  return target
}

const hopTo = (url: string, change: Partial<Hop> = {}): Hop => ({
  url,
  target: targetOf(url),
  method: 'GET',
  headers: {},
  body: null,
  ...change,
})

function next(from: string, location: string, change: Partial<Hop> = {}, status = 302): Hop | null {
  const hop = hopTo(from, change)
  const pinned = { headers: ['X-Mine'], body: true }
  return nextHop(hop, status, location, { rule: 'same-host', first: hop.target, pinned })
}

describe('the next hop of a redirect', () => {
  it('stays on the host, on its port or the usual one of its scheme', () => {
    for (const [from, to] of [
      ['http://a.test/', 'http://a.test/b'],
      ['http://a.test/', 'https://a.test/'],
      ['http://a.test:8080/', 'http://a.test/'],
      ['http://a.test:8080/', 'https://a.test/'],
      ['http://a.test:8080/', 'https://a.test:8080/'],
    ] as const) {
      expect(next(from, to), `${from} to ${to}`).toMatchObject({ url: to })
    }
  })

  it('is left to a decision for any other place, and for less safety', () => {
    for (const [from, to] of [
      ['http://a.test/', 'http://b.test/'],
      ['http://a.test/', 'http://www.a.test/'],
      ['http://a.test/', 'http://a.test.b.test/'],
      ['http://a.test/', 'http://a.test:8080/'],
      ['http://a.test/', 'http://a.test:443/'],
      ['https://a.test/', 'http://a.test/'],
      ['https://a.test/', 'https://user@a.test/'],
      ['https://a.test/', 'ftp://a.test/'],
      ['http://1.1.1.1/', 'http://1.0.0.1/'],
    ] as const) {
      expect(next(from, to), `${from} to ${to}`).toBeNull()
    }
  })

  it('is left to a decision where the permit does not speak of redirects, and for statuses that lead nowhere', () => {
    const hop = hopTo('http://a.test/')
    const following = { first: hop.target, pinned: { headers: [], body: false } }
    expect(nextHop(hop, 302, 'http://a.test/b', { ...following, rule: 'refused' })).toBeNull()
    for (const status of [300, 304, 305, 306, 399]) {
      expect(nextHop(hop, status, 'http://a.test/b', { ...following, rule: 'same-host' })).toBeNull()
    }
  })

  it('asks with the method that a browser would use', () => {
    const post = { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain', accept: '*/*' } }
    for (const status of [301, 302, 303]) {
      expect(next('http://a.test/', 'http://a.test/b', post, status)).toMatchObject({
        method: 'GET',
        body: null,
        headers: { accept: '*/*' },
      })
    }
    for (const status of [307, 308]) {
      expect(next('http://a.test/', 'http://a.test/b', post, status)).toMatchObject(post)
    }
    expect(next('http://a.test/', 'http://a.test/b', { method: 'HEAD' }, 303)).toMatchObject({
      method: 'HEAD',
    })
    expect(next('http://a.test/', 'http://a.test/b', { method: 'PUT', body: 'x' }, 303)).toMatchObject({
      method: 'GET',
    })
    expect(next('http://a.test/', 'http://a.test/b', { method: 'PUT', body: 'x' }, 302)).toMatchObject({
      method: 'PUT',
    })
  })

  it('carries credentials only to the same scheme and port', () => {
    const headers = { Authorization: 'a', cookie: 'b', 'X-Api-Key': 'c', 'x-mine': 'd', accept: 'e' }
    expect(next('http://a.test/', 'http://a.test/b', { headers })?.headers).toEqual(headers)
    for (const to of ['https://a.test/', 'https://a.test:80/']) {
      expect(next('http://a.test/', to, { headers })?.headers).toEqual({ accept: 'e' })
    }
    expect(next('http://a.test:8080/', 'http://a.test/', { headers })?.headers).toEqual({ accept: 'e' })
  })

  it('carries a pinned body only to the same scheme and port', () => {
    const post = { method: 'POST', body: 'x' }
    expect(next('http://a.test/', 'http://a.test/b', post, 307)).toMatchObject({ body: 'x' })
    expect(next('http://a.test/', 'https://a.test/', post, 307)).toBeNull()
    expect(next('http://a.test/', 'https://a.test/', post, 303)).toMatchObject({ method: 'GET', body: null })
  })
})

describe('the location of a redirect', () => {
  it('is absolute, whatever its spelling', () => {
    const at = (location: string) => locationOf(302, { location }, 'https://a.test/x/y')
    expect(at('../z')).toBe('https://a.test/z')
    expect(at('//b.test')).toBe('https://b.test/')
    expect(at('/\\b.test')).toBe('https://b.test/')
    expect(at('\thttp:/b.test')).toBe('http://b.test/')
    expect(at('http://0x7f.1/')).toBe('http://127.0.0.1/')
    expect(at('http://[')).toBeNull()
    expect(locationOf(200, { location: '/b' }, 'https://a.test/')).toBeNull()
    expect(locationOf(302, { location: ['/b', '/c'] }, 'https://a.test/')).toBeNull()
  })
})
