import { describe, expect, test } from 'vitest'
import { createRequestPlaces, type ReceivedRequest } from './request-place.ts'

const home = 'https://home.example.com'
const other = 'https://app.example.org:8443'
const places = (trustedProxies: readonly string[] = []) =>
  createRequestPlaces({ port: () => 7347, publicOrigins: [home, other], trustedProxies })
const at = (headers: ReceivedRequest['headers'], trusted: readonly string[] = [], peer = '127.0.0.1') =>
  places(trusted).of({ headers, peer })
const forwarded = (more: ReceivedRequest['headers'] = {}) => ({
  host: 'home.example.com',
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '203.0.113.7',
  ...more,
})

describe('a name', () => {
  test('is one of this computer or of a public origin, exactly', () => {
    for (const host of ['localhost:7347', '127.0.0.1:7347', '[::1]:7347'])
      expect(at({ host })).toEqual({ origin: null, sender: 'this computer' })
    expect(at({ host: 'home.example.com' })?.origin).toBe(home)
    expect(at({ host: 'app.example.org:8443' })?.origin).toBe(other)
    for (const host of [
      undefined,
      '',
      'evil.example',
      'localhost',
      'localhost:80',
      'home.example.com:7347',
      'home.example.com.',
      'xhome.example.com',
      'app.example.org',
      'HOME.example.com@evil.example',
    ])
      expect(at(host === undefined ? {} : { host }), String(host)).toBeUndefined()
  })

  test('has the pages of its own origin and no other', () => {
    const all = places()
    const there = all.of({ headers: { host: 'home.example.com' }, peer: '127.0.0.1' })
    const here = all.of({ headers: { host: 'localhost:7347' }, peer: '127.0.0.1' })
    if (!there || !here) throw new Error('both are ours')
    expect(all.isPage(home, there)).toBe(true)
    expect(all.isPage('http://home.example.com', there)).toBe(false)
    expect(all.isPage(other, there)).toBe(false)
    expect(all.isPage('http://localhost:7347', there)).toBe(false)
    expect(all.isPage(home, here)).toBe(false)
    expect(all.isPage('http://127.0.0.1:7347', here)).toBe(true)
    expect(all.isPage('http://localhost:7348', here)).toBe(false)
  })
})

describe('what a proxy says', () => {
  test('is passed over unless the proxy is trusted', () => {
    expect(at(forwarded())).toEqual({ origin: home, sender: 'elsewhere' })
    expect(at(forwarded(), ['10.0.0.1'])).toEqual({ origin: home, sender: 'elsewhere' })
    expect(at({ host: 'evil.example', 'x-forwarded-host': 'home.example.com' })).toBeUndefined()
  })

  test('makes nobody one who is on this computer, also where the proxy is not trusted', () => {
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'])
      for (const host of ['localhost:7347', '127.0.0.1:7347'])
        expect(at({ host, [name]: '127.0.0.1' })).toBeUndefined()
  })

  test('counts from a trusted one, also when its address is written as IPv6', () => {
    for (const peer of ['127.0.0.1', '::ffff:127.0.0.1'])
      expect(at(forwarded(), ['127.0.0.1'], peer)).toEqual({ origin: home, sender: '203.0.113.7' })
    const named = { ...forwarded({ 'x-forwarded-host': 'app.example.org:8443' }), host: '127.0.0.1:7347' }
    expect(at(named, ['127.0.0.1'])?.origin).toBe(other)
  })

  test('is never a name of this computer, nor another scheme than that of the origin', () => {
    const trusted = ['127.0.0.1']
    expect(at(forwarded({ host: 'localhost:7347' }), trusted)).toBeUndefined()
    expect(at(forwarded({ 'x-forwarded-host': 'localhost:7347' }), trusted)).toBeUndefined()
    expect(at(forwarded({ 'x-forwarded-proto': 'http' }), trusted)).toBeUndefined()
    expect(at({ host: 'home.example.com', 'x-forwarded-for': '203.0.113.7' }, trusted)).toBeUndefined()
    expect(at(forwarded({ 'x-forwarded-proto': 'https, http' }), trusted)).toBeUndefined()
  })

  test('is believed of the last sender only, which is the one that it saw itself', () => {
    const sender = (list: string) => at(forwarded({ 'x-forwarded-for': list }), ['127.0.0.1'])?.sender
    expect(sender('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7')
    expect(sender('198.51.100.1, 203.0.113.7, 127.0.0.1')).toBe('203.0.113.7')
    expect(sender('203.0.113.7, nonsense')).toBe('elsewhere')
    expect(sender('')).toBe('elsewhere')
  })

  test('counts a network of IPv6 as one sender', () => {
    const sender = (list: string) => at(forwarded({ 'x-forwarded-for': list }), ['127.0.0.1'])?.sender
    expect(sender('2001:db8:1:2:aaaa::1')).toBe('2001:db8:1:2::/64')
    expect(sender('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64')
    expect(sender('2001:0db8:0001:0003::9')).toBe('2001:db8:1:3::/64')
    expect(sender('::1')).toBe('0:0:0:0::/64')
  })
})
