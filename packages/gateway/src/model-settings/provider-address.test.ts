import { describe, expect, test } from 'vitest'
import { isOwnDestination, isSameDestination, providerAddressOf } from './provider-address.ts'

describe('the address of a provider', () => {
  test.each([
    ['https://api.example.org/v1/', 'https://api.example.org/v1', 'https', 'api.example.org', 443, false],
    ['https://api.example.org:8443', 'https://api.example.org:8443', 'https', 'api.example.org', 8443, false],
    ['http://127.0.0.1:11434/api', 'http://127.0.0.1:11434/api', 'http', '127.0.0.1', 11434, true],
    ['http://[::1]:8080/v1', 'http://[::1]:8080/v1', 'http', '::1', 8080, true],
    ['http://LOCALHOST/v1', 'http://localhost/v1', 'http', 'localhost', 80, true],
    ['http://192.168.1.20:8000/v1', 'http://192.168.1.20:8000/v1', 'http', '192.168.1.20', 8000, true],
    ['http://box.local:1234/v1', 'http://box.local:1234/v1', 'http', 'box.local', 1234, true],
    ['http://[fd00::7]:8000/v1', 'http://[fd00::7]:8000/v1', 'http', 'fd00::7', 8000, true],
  ])('may be %s', (given, url, scheme, host, port, near) => {
    expect(providerAddressOf(given)).toEqual({
      kind: 'address',
      url,
      destination: { scheme, host, port },
      near,
    })
  })

  test.each([
    ['http://api.example.org/v1', 'plain http'],
    ['http://8.8.8.8/v1', 'plain http'],
    ['http://172.32.0.1/v1', 'plain http'],
    ['http://[2001:db8::1]/v1', 'plain http'],
    ['http://169.254.169.254/v1', 'plain http'],
    ['http://notlocalhost.example/v1', 'plain http'],
    ['http://127.0.0.1.example.org/v1', 'plain http'],
    ['ftp://127.0.0.1/v1', 'not an http'],
    ['https://me:secret@api.example.org/v1', 'user name'],
    ['https://api.example.org/v1?key=1', 'query'],
  ])('may not be %s', (given, reason) => {
    const found = providerAddressOf(given)
    expect(found).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) })
    expect(JSON.stringify(found)).not.toContain('me:secret')
  })

  test('is another place when scheme, host or port differ', () => {
    const place = { scheme: 'https', host: 'a.example', port: 443 } as const
    expect(isSameDestination(place, { ...place })).toBe(true)
    for (const other of [{ scheme: 'http' as const }, { host: 'b.example' }, { port: 444 }])
      expect(isSameDestination(place, { ...place, ...other })).toBe(false)
  })

  test('is the own place of a kind by scheme, host and port, and never for a kind that can be anywhere', () => {
    const own = { scheme: 'https', host: 'api.openai.com', port: 443 } as const
    expect(isOwnDestination('openai', own)).toBe(true)
    expect(isOwnDestination('anthropic', own)).toBe(false)
    expect(isOwnDestination('openai', { ...own, scheme: 'http' })).toBe(false)
    expect(isOwnDestination('openai-compatible', own)).toBe(false)
    expect(isOwnDestination('ollama', { scheme: 'http', host: '127.0.0.1', port: 11434 })).toBe(true)
  })
})
